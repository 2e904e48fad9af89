// A file of weights, which lead from the cells of one grid to those of another: as ESMF and xESMF write it (S, row,
// col), or SCRIP and CDO (remap_matrix, dst_address, src_address). (source: ESMF reference manual, section 12.9; SCRIP
// users' guide, section 2.3)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/grid_settings.hpp"
#include "fields/target_grid.hpp"
#include "read/inputs.hpp"
#include "remap/rows.hpp"

namespace thalweg::fields {

class WeightsFile {
 public:
  // Collective, as all that follows. Errors: CONFIG for a file that is none, and those of inputs.
  WeightsFile(read::Inputs& inputs, const std::string& path, const config::GridSettings& settings);
  ~WeightsFile() { inputs_.close(input_); }
  WeightsFile(const WeightsFile&) = delete;
  WeightsFile& operator=(const WeightsFile&) = delete;

  // Of the source, slowest first; empty: the file does not say it.
  const Index& source() const { return source_; }
  // The grid to which they lead.
  TargetGrid target();
  // Of a stretch of the target's cells. sources: how many cells the source has.
  std::vector<remap::Entry> entries(std::int64_t first, std::int64_t cells, std::int64_t sources);

 private:
  struct Names {
    std::string_view weights, to, from;
    std::string_view sizes, sizes_of_source, latitudes, longitudes, corner_latitudes, corner_longitudes;
  };
  static const Names& names_in(const read::Input& input);
  template <typename... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) const;
  bool has(std::string_view name) const { return input_.contents().find(std::string(name)) != nullptr; }
  std::vector<double> numbers(std::string_view name);
  std::vector<double> numbers(std::string_view name, std::int64_t first, std::int64_t count);
  std::vector<double> degrees(std::string_view name);
  Index sizes(std::string_view name);
  void require_links() const;
  void require_sums() const;
  void set_sizes();
  bool has_corners() const;
  void add_axes(TargetGrid& grid, const std::vector<double>& lat, const std::vector<double>& lon);
  void add_positions(TargetGrid& grid, const std::vector<double>& lat, const std::vector<double>& lon);

  read::Inputs& inputs_;
  config::GridSettings settings_;
  read::Input& input_;
  const Names& names_;
  Index source_, target_;
};

}  // namespace thalweg::fields
