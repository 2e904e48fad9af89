#include "profile/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "base/names.hpp"

namespace thalweg {

void to_json(nlohmann::json& json, const Seconds& seconds) {
  json = static_cast<double>(seconds);
}

void from_json(const nlohmann::json& json, Seconds& seconds) {
  seconds = json.get<double>();
}

}  // namespace thalweg

namespace thalweg::profile {

// clang-format off
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClientCounters, puts, put_bytes, skipped_puts, missing_puts, out_of_range, records, waits, unsent_advances,
                                   plans, copy_s, wait_block_s, wait_send_s, wait_commit_s, remap_s, metadata_s, ready_s, finish_s,
                                   progress_cpu_s, progress_looks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WriterCounters, blocks, records, files, checksum_files, direct_bytes, buffered_bytes, write_calls,
                                   syncs, write_s, sync_s, commit_s, fill_s, paced_s, spilled_bytes, spill_s, raw_bytes, encoded_bytes, encode_s)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(InputCounters, name, gets, get_bytes, get_s, wait_read_s)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LibraryFileReport, file, library, calls, io_ranks, aggregators, stripes, asked, in_force,
                                   is_repeated)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DoubtfulPuts, variable, missing, out_of_range, unclosed)
// clang-format on

// What was written of all files stands beside the rest.
void to_json(nlohmann::json& json, const CollectionReport& of) {
  json = of.written.all;
  json["name"] = of.name;
  json["records"] = of.records;
  json["files"] = of.files;
  json["depth"] = of.depth;
  json["library_files"] = of.library_files;
  json["doubtful_puts"] = of.doubtful_puts;
  json["written_files"] = of.written.told;
  json["files_left_out"] = of.written.left_out;
}

void from_json(const nlohmann::json& json, CollectionReport& of) {
  json.get_to(of.written.all);
  json.at("name").get_to(of.name);
  json.at("records").get_to(of.records);
  json.at("files").get_to(of.files);
  json.at("depth").get_to(of.depth);
  json.at("library_files").get_to(of.library_files);
  json.at("doubtful_puts").get_to(of.doubtful_puts);
  json.at("written_files").get_to(of.written.told);
  json.at("files_left_out").get_to(of.written.left_out);
}

// clang-format off
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FieldReport, name, puts, collections, is_operand, is_derived, is_static)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ServerTimes, other_s, wait_message_s, define_s, clean_up_s, receive_s, forward_s)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report, rank, node, is_writer, is_server, group, session_s, memory_bytes, staging_bytes, burst_bytes, mpi, client, writer, server, collections, inputs, fields)
// clang-format on

namespace {

struct CounterRow {
  const char* name;
  Seconds ClientCounters::* value;
};

constexpr CounterRow rows[] = {
    {"copy into blocks", &ClientCounters::copy_s},    {"wait for a free block", &ClientCounters::wait_block_s},
    {"wait to send", &ClientCounters::wait_send_s},   {"wait for commits", &ClientCounters::wait_commit_s},
    {"other grids", &ClientCounters::remap_s},        {"file metadata", &ClientCounters::metadata_s},
    {"end of definitions", &ClientCounters::ready_s}, {"finish", &ClientCounters::finish_s},
};

// From when the last client came to its finish, which has it shortest: what others have more is waiting for that one,
// and not for what is written.
double common_finish_s(const std::vector<Report>& reports) {
  double least = std::numeric_limits<double>::infinity();
  for (const Report& report : reports)
    if (!report.is_server) least = std::min<double>(least, report.client.finish_s);
  return std::isfinite(least) ? least : 0.0;
}

std::string client_row(const std::vector<Report>& reports, const char* name,
                       const std::function<double(const Report&)>& value) {
  double sum = 0.0;
  for (const Report& report : reports) sum += value(report);
  const auto highest = std::max_element(reports.begin(), reports.end(),
                                        [&](const Report& a, const Report& b) { return value(a) < value(b); });
  const auto lowest = std::min_element(reports.begin(), reports.end(),
                                       [&](const Report& a, const Report& b) { return value(a) < value(b); });
  return fmt::format("  {:<24}{:>10.3f}{:>10.3f}{:>10.3f}{:>8}{:>8}\n", name, sum / static_cast<double>(reports.size()),
                     value(*highest), value(*lowest), highest->rank, lowest->rank);
}

double mebibytes(std::int64_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

std::string writer_row(const Report& report) {
  const WriterCounters& writer = report.writer;
  const double bytes = mebibytes(writer.direct_bytes + writer.buffered_bytes);
  return fmt::format("  {:<8}{:>8}{:>12.1f}{:>10.0f}%{:>10.3f}{:>10.3f}{:>10.3f}{:>12.0f}\n", report.node, report.rank,
                     bytes, bytes > 0 ? 100.0 * mebibytes(writer.direct_bytes) / bytes : 0.0, writer.write_s,
                     writer.commit_s, writer.sync_s,
                     writer.write_s + writer.sync_s > 0 ? bytes / (writer.write_s + writer.sync_s) : 0.0);
}

// Of a collection, by all its writers; rates are those of one.
std::string written_row(const std::vector<Report>& reports, const std::string& collection) {
  Written all;
  for (const Report& report : reports)
    for (const CollectionReport& of : report.collections)
      if (of.name == collection) all += of.written.all;
  if (all.file_bytes == 0) return "";
  const double mebibyte = 1 << 20;
  std::string text = fmt::format("    {:.1f} MiB of values, {:.1f} MiB in the files by {:.1f} MiB/s a writer",
                                 mebibytes(all.raw_bytes), mebibytes(all.file_bytes), all.bytes_per_s() / mebibyte);
  if (all.best.record >= 0)
    text += fmt::format(", at best {:.1f} (record {})", all.best.bytes_per_s() / mebibyte, all.best.record);
  return text + (all.chunks > 0 ? fmt::format(", in {}\n", counted(all.chunks, "chunk")) : "\n");
}

// What the writer of a node did beside writing, and what kept it from it, if there was something.
std::string rows_beside(const Report& report) {
  std::string text;
  if (report.writer.encoded_bytes > 0)
    text += fmt::format("    encoded {:.1f} MiB to {:.1f} MiB, a ratio of {:.2f}, in {:.3f} s of its threads\n",
                        mebibytes(report.writer.raw_bytes), mebibytes(report.writer.encoded_bytes),
                        static_cast<double>(report.writer.raw_bytes) / static_cast<double>(report.writer.encoded_bytes),
                        report.writer.encode_s);
  if (report.writer.paced_s > 0.0)
    text += fmt::format("    the rate limit held it back for {:.3f} s\n", report.writer.paced_s);
  if (report.writer.spilled_bytes > 0)
    text += fmt::format("    {:.1f} MiB were spilled to the node's folder and back, in {:.3f} s\n",
                        mebibytes(report.writer.spilled_bytes), report.writer.spill_s);
  return text;
}

// A process counts the blocks of its node as far as it has them, so that those of a node count them several times.
std::string memory_row(const std::vector<Report>& reports) {
  struct Node {
    std::int64_t bytes = 0, own = 0;
  };
  std::map<int, Node> nodes;
  for (const Report& report : reports) {
    Node& node = nodes[report.node];
    node.bytes += report.memory_bytes;
    node.own = std::max(node.own, report.staging_bytes + report.burst_bytes);
  }
  const auto of_node = [](const auto& one) { return one.second.bytes; };
  const auto& [number, node] = *std::ranges::max_element(nodes, {}, of_node);
  const Report& rank = *std::ranges::max_element(reports, {}, &Report::memory_bytes);
  return fmt::format(
      "  memory: {:.1f} MiB at most (rank {}), {:.1f} MiB of the ranks of node {}, whose blocks have {:.1f} MiB\n",
      mebibytes(rank.memory_bytes), rank.rank, mebibytes(node.bytes), number, mebibytes(node.own));
}

// What the model's ranks do for each other between its first put and its last record.
std::string mpi_row(const std::vector<Report>& clients) {
  MpiCounts sum;
  for (const Report& report : clients)
    for (const MpiPhase phase : {MpiPhase::put, MpiPhase::advance}) {
      sum.messages += report.mpi[phase].messages;
      sum.collectives += report.mpi[phase].collectives;
      sum.barriers += report.mpi[phase].barriers;
    }
  return fmt::format("  puts and advances of all clients: {}, {}, {}\n", counted(sum.messages, "message"),
                     counted(sum.collectives, "collective"), counted(sum.barriers, "barrier"));
}

// A row for each name, over all ranks.
std::string input_rows(const std::vector<Report>& reports) {
  struct Sum {
    std::int64_t gets = 0, bytes = 0, readers = 0;
    double get_s = 0.0, wait_s = 0.0;
  };
  std::map<std::string, Sum> inputs;
  for (const Report& report : reports)
    for (const InputCounters& of : report.inputs) {
      Sum& sum = inputs[of.name];
      sum.gets = std::max(sum.gets, of.gets);
      sum.bytes += of.get_bytes;
      sum.readers += of.get_bytes > 0 ? 1 : 0;
      sum.get_s = std::max(sum.get_s, static_cast<double>(of.get_s));
      sum.wait_s = std::max(sum.wait_s, static_cast<double>(of.wait_read_s));
    }
  std::string text;
  for (const auto& [name, sum] : inputs)
    text += fmt::format(
        "  input '{}': {} in {:.3f} s at most, {:.3f} s at most of waiting for storage, {:.1f} MiB by {}\n", name,
        counted(sum.gets, "get"), sum.get_s, sum.wait_s, mebibytes(sum.bytes), counted(sum.readers, "rank"));
  return text;
}

// Of one kind, for one variable, over all ranks.
class Doubt {
 public:
  void add(std::int64_t count, int rank) {
    if (count == 0) return;
    count_ += count;
    if (ranks_.empty() || ranks_.back() != rank) ranks_.push_back(rank);  // those that write files in turn say it apart
  }
  void say(const std::string& of, const char* one, const char* several, std::vector<std::string>& lines) const {
    constexpr std::size_t shown = 8;
    if (count_ == 0) return;
    const std::vector<int> head(ranks_.begin(), ranks_.begin() + static_cast<long>(std::min(shown, ranks_.size())));
    lines.push_back(fmt::format("{}: {} {}, on rank {}{}", of, count_, count_ == 1 ? one : several,
                                fmt::join(head, ", "),
                                ranks_.size() > shown ? fmt::format(" and {} more", ranks_.size() - shown) : ""));
  }

 private:
  std::int64_t count_ = 0;
  std::vector<int> ranks_;
};

}  // namespace

std::vector<std::string> doubts(const std::vector<Report>& reports) {
  std::map<std::string, std::array<Doubt, 3>> by_variable;
  for (const Report& report : reports)
    for (const CollectionReport& collection : report.collections)
      for (const DoubtfulPuts& puts : collection.doubtful_puts) {
        auto& [missing, out_of_range, unclosed] =
            by_variable[fmt::format("collection '{}', variable '{}'", collection.name, puts.variable)];
        missing.add(puts.missing, report.rank);
        out_of_range.add(puts.out_of_range, report.rank);
        unclosed.add(puts.unclosed, report.rank);
      }
  std::vector<std::string> lines;
  for (const auto& [of, its] : by_variable) {
    const auto& [missing, out_of_range, unclosed] = its;
    missing.say(of, "field was due and not put, and is filled with the fill value",
                "fields were due and not put, and are filled with the fill value", lines);
    out_of_range.say(of, "value is beyond the range of float32, and infinite in the file",
                     "values are beyond the range of float32, and infinite in the file", lines);
    unclosed.say(of, "field was put after the last record was closed, and is in none",
                 "fields were put after the last record was closed, and are in none", lines);
  }
  return lines;
}

void join_shares(Report& report) {
  std::vector<CollectionReport>& all = report.collections;
  for (std::size_t first = 0; first < all.size(); ++first)
    for (std::size_t other = all.size() - 1; other > first; --other) {
      if (all[other].name != all[first].name) continue;
      const auto place = static_cast<std::ptrdiff_t>(other);
      all[first].records += all[other].records;
      all[first].files += all[other].files;
      all[first].depth = std::max(all[first].depth, all[other].depth);
      std::ranges::move(all[other].doubtful_puts, std::back_inserter(all[first].doubtful_puts));
      all[first].written += all[other].written;
      all.erase(all.begin() + place);
      for (std::deque<Seconds>* times : {&report.server.receive_s, &report.server.forward_s}) {
        (*times)[first] += (*times)[other];
        times->erase(times->begin() + place);
      }
    }
}

std::int64_t count_doubts(const Report& report) {
  std::int64_t sum = 0;
  for (const CollectionReport& collection : report.collections)
    for (const DoubtfulPuts& puts : collection.doubtful_puts) sum += puts.count();
  return sum;
}

StorageCounters& StorageCounters::operator+=(const StorageCounters& other) {
  direct_bytes += other.direct_bytes;
  buffered_bytes += other.buffered_bytes;
  write_calls += other.write_calls;
  syncs += other.syncs;
  write_s += other.write_s;
  sync_s += other.sync_s;
  return *this;
}

WriterCounters& WriterCounters::operator+=(const WriterCounters& other) {
  StorageCounters::operator+=(other);
  blocks += other.blocks;
  records += other.records;
  files += other.files;
  checksum_files += other.checksum_files;
  commit_s += other.commit_s;
  fill_s += other.fill_s;
  paced_s += other.paced_s;
  spilled_bytes += other.spilled_bytes;
  spill_s += other.spill_s;
  raw_bytes += other.raw_bytes;
  encoded_bytes += other.encoded_bytes;
  encode_s += other.encode_s;
  return *this;
}

std::string to_json(const Report& report) {
  return nlohmann::json(report).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Report from_json(const std::string& text) {
  return nlohmann::json::parse(text).get<Report>();
}

std::string all_to_json(const std::vector<Report>& reports, const std::vector<std::string>& settings) {
  return nlohmann::json{{"thalweg_profile", 2}, {"settings", settings}, {"ranks", reports}}.dump(
      1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string table(const std::vector<Report>& reports) {
  std::string text = "where the time of output went\n";
  for (const CollectionReport& collection : reports.front().collections) {
    text += fmt::format("  collection '{}': {} in {}, up to {} in memory\n", collection.name,
                        counted(collection.records, "record"), counted(collection.files, "file"),
                        counted(collection.depth, "record"));
    text += written_row(reports, collection.name);
  }
  text += input_rows(reports);
  for (const std::string& doubt : doubts(reports)) text += fmt::format("  {}\n", doubt);
  text += fmt::format("  {:<24}{:>10}{:>10}{:>10}{:>8}{:>8}\n", "clients, seconds", "mean", "max", "min", "max at",
                      "min at");
  std::vector<Report> clients = reports;
  std::erase_if(clients, [](const Report& report) { return report.is_server; });
  for (const CounterRow& row : rows)
    text += client_row(clients, row.name, [&row](const Report& report) -> double { return report.client.*row.value; });
  const double finish_s = common_finish_s(clients);
  text += client_row(clients, "of it, for other clients",
                     [finish_s](const Report& report) -> double { return report.client.finish_s - finish_s; });
  text += mpi_row(clients) + memory_row(reports);
  text += fmt::format("  {:<8}{:>8}{:>12}{:>11}{:>10}{:>10}{:>10}{:>12}\n", "node", "writer", "MiB", "direct",
                      "write s", "commit s", "sync s", "MiB/s");
  double written_s = 0.0;
  double waited_s = 0.0;
  for (const Report& report : reports) {
    const ClientCounters& client = report.client;
    if (!report.is_server)
      waited_s = std::max(waited_s, client.wait_block_s + client.wait_send_s + client.wait_commit_s + finish_s);
    if (!report.is_writer) continue;
    text += writer_row(report);
    text += rows_beside(report);
    written_s = std::max(written_s, report.writer.write_s + report.writer.sync_s + report.writer.commit_s);
  }
  if (written_s > 0.0)
    text += fmt::format("  overlap achieved: {:.0f} % of the writing was hidden behind the model's computing\n",
                        100.0 * std::clamp(1.0 - waited_s / written_s, 0.0, 1.0));
  return text;
}

}  // namespace thalweg::profile
