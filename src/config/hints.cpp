#include "config/hints.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <map>

#include "config/parse_value.hpp"

namespace thalweg::config {
namespace {

enum class HintKind { text, count, bytes, switched, truth };

// (source: MPI 3.1 §13.2.8; ROMIO's users guide and ad_hints.c; OMPIO's documentation; PnetCDF's I/O hints)
const std::map<std::string, HintKind>& hint_kinds() {
  using enum HintKind;
  static const std::map<std::string, HintKind> kinds = {
      {"access_style", text},
      {"cb_block_size", bytes},
      {"cb_buffer_size", bytes},
      {"cb_config_list", text},
      {"cb_nodes", count},
      {"chunked", text},
      {"collective_buffering", truth},
      {"direct_read", truth},
      {"direct_write", truth},
      {"file_perm", text},
      {"filename", text},
      {"ind_rd_buffer_size", bytes},
      {"ind_wr_buffer_size", bytes},
      {"io_node_list", text},
      {"nb_proc", count},
      {"nc_burst_buf", switched},
      {"nc_header_align_size", bytes},
      {"nc_header_read_chunk_size", bytes},
      {"nc_ibuf_size", bytes},
      {"nc_in_place_swap", text},
      {"nc_num_aggrs_per_node", count},
      {"nc_record_align_size", bytes},
      {"nc_var_align_size", bytes},
      {"num_io_nodes", count},
      {"romio_cb_alltoall", switched},
      {"romio_cb_ds_threshold", text},
      {"romio_cb_fr_alignment", bytes},
      {"romio_cb_fr_types", text},
      {"romio_cb_pfr", switched},
      {"romio_cb_read", switched},
      {"romio_cb_write", switched},
      {"romio_ds_read", switched},
      {"romio_ds_write", switched},
      {"romio_filesystem_type", text},
      {"romio_lustre_co_ratio", count},
      {"romio_lustre_coll_threshold", text},
      {"romio_lustre_cb_ds_threshold", text},
      {"romio_lustre_ds_in_coll", switched},
      {"romio_lustre_start_iodevice", text},
      {"romio_min_fdomain_size", bytes},
      {"romio_no_indep_rw", truth},
      {"sharedfp_sm_name", text},
      {"start_iodevice", text},
      {"striping_factor", count},
      {"striping_unit", bytes},
  };
  return kinds;
}

std::string one_of_these(const std::string& text, std::initializer_list<const char*> words) {
  std::string allowed;
  for (const char* word : words) {
    if (text == word) return text;
    allowed += (allowed.empty() ? "" : ", ") + std::string(word);
  }
  throw BadValue(fmt::format("'{}' is none of {}", text, allowed));
}

std::string checked(HintKind kind, const std::string& text) {
  switch (kind) {
    case HintKind::count: return std::to_string(parse_integer(text, 1));
    case HintKind::bytes: return std::to_string(parse_bytes(text, 0));
    case HintKind::switched: return one_of_these(text, {"enable", "disable", "automatic"});
    case HintKind::truth: return one_of_these(text, {"true", "false"});
    case HintKind::text: break;
  }
  return text;
}

// The least that MPI libraries take: Open MPI names of 35 letters and values of 255.
constexpr std::size_t longest_name = 35;
constexpr std::size_t longest_value = 255;

}  // namespace

std::string checked_hint(const std::string& name, const std::string& text) {
  if (name.empty() || name.size() > longest_name)
    throw BadValue(fmt::format("'{}' is no name of a hint: it has 1 to {} letters", name, longest_name));
  if (text.empty() || text.size() > longest_value)
    throw BadValue(fmt::format("{}: a value has 1 to {} letters", name, longest_value));
  const auto known = hint_kinds().find(name);
  try {
    return known == hint_kinds().end() ? text : checked(known->second, text);
  } catch (const BadValue& fault) {
    throw BadValue(fmt::format("{}: {}", name, fault.what()));
  }
}

std::vector<std::string> known_hints() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : hint_kinds()) names.push_back(name);
  return names;
}

}  // namespace thalweg::config
