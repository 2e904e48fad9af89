#include "compat/pfio/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace thalweg::compat::pfio {
namespace {

using profile::ClientCounters;
using profile::Report;
using profile::ServerTimes;
using SecondsOf = std::function<double(const Report&)>;

struct Row {
  std::string name;
  SecondsOf inclusive;
  SecondsOf exclusive;
};

double mean(const std::vector<Report>& ranks, const SecondsOf& seconds) {
  double sum_s = 0.0;
  for (const Report& rank : ranks) sum_s += seconds(rank);
  return sum_s / static_cast<double>(ranks.size());
}

double percent(double part, double whole) {
  return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

std::string row_text(const std::vector<Report>& ranks, const Row& row, double root_s) {
  const auto less = [&](const Report& a, const Report& b) { return row.exclusive(a) < row.exclusive(b); };
  const auto [lowest, highest] = std::ranges::minmax_element(ranks, less);
  const double inclusive_s = mean(ranks, row.inclusive);
  const double exclusive_s = mean(ranks, row.exclusive);
  return fmt::format(" {:<28}{:>10.3f}{:>8.2f}{:>11.3f}{:>8.2f}{:>11.3f}{:>11.3f}    {:04}    {:04}\n", row.name,
                     inclusive_s, percent(inclusive_s, root_s), exclusive_s, percent(exclusive_s, root_s),
                     row.exclusive(*highest), row.exclusive(*lowest), highest->rank, lowest->rank);
}

std::string header() {
  return fmt::format(" {:<28}{:>10}{:>8}{:>11}{:>8}{:>11}{:>11}{:>8}{:>8}\n", "Name", "Inclusive", "% Incl",
                     "Exclusive", "% Excl", "Max Excl", "Min Excl", "Max PE", "Min PE");
}

std::string table_of(const std::vector<Report>& ranks, const std::vector<Row>& rows) {
  std::string text;
  const double root_s = mean(ranks, rows.front().inclusive);
  for (const Row& row : rows) text += row_text(ranks, row, root_s);
  return text;
}

std::vector<Row> client_rows() {
  const SecondsOf all = [](const Report& rank) {
    const ClientCounters& client = rank.client;
    return client.copy_s + client.wait_block_s + client.wait_send_s + client.wait_commit_s + client.finish_s;
  };
  return {{"i_server_client", all, all}};
}

// A row of its own for each collection, below the one of all.
void add_collections(std::vector<Row>& rows, const std::string& name, std::deque<Seconds> ServerTimes::* times,
                     std::size_t collections) {
  const auto at = [times](const Report& rank, std::size_t c) {
    const std::deque<Seconds>& of = rank.server.*times;
    return c < of.size() ? static_cast<double>(of[c]) : 0.0;
  };
  const SecondsOf sum = [at, collections](const Report& rank) {
    double sum_s = 0.0;
    for (std::size_t c = 0; c < collections; ++c) sum_s += at(rank, c);
    return sum_s;
  };
  rows.push_back({"--" + name, sum, [](const Report&) { return 0.0; }});
  for (std::size_t c = 0; c < collections; ++c) {
    const SecondsOf one = [at, c](const Report& rank) { return at(rank, c); };
    rows.push_back({fmt::format("----collection_{}", c + 1), one, one});
  }
}

std::vector<Row> server_rows(std::size_t collections) {
  const auto member = [](Seconds ServerTimes::* seconds) -> SecondsOf {
    return [seconds](const Report& rank) -> double { return rank.server.*seconds; };
  };
  const auto leaf = [&](const std::string& name, Seconds ServerTimes::* seconds) {
    return Row{name, member(seconds), member(seconds)};
  };
  std::vector<Row> rows{
      {"o_server_front", [](const Report& rank) { return rank.server.total_s(); }, member(&ServerTimes::other_s)}};
  rows.push_back(leaf("--wait_message", &ServerTimes::wait_message_s));
  rows.push_back(leaf("--add_Histcollection", &ServerTimes::define_s));
  add_collections(rows, "receive_data", &ServerTimes::receive_s, collections);
  add_collections(rows, "forward_data", &ServerTimes::forward_s, collections);
  rows.push_back(leaf("--clean up", &ServerTimes::clean_up_s));
  return rows;
}

// Which one a row is of: PFIO counts them.
std::string numbers_of(const std::vector<profile::CollectionReport>& collections) {
  std::string text;
  for (std::size_t c = 0; c < collections.size(); ++c)
    text += fmt::format("{}{} is '{}'", c == 0 ? " Collections: " : ", ", c + 1, collections[c].name);
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string profiler_table(const std::vector<Report>& reports) {
  std::vector<Report> clients;
  std::map<int, std::vector<Report>> servers;  // by their groups, each of which is a server of PFIO's
  for (const Report& report : reports) (report.is_server ? servers[report.group] : clients).push_back(report);
  std::string text = "\n" + header() + table_of(clients, client_rows());
  const std::vector<Row> rows = server_rows(reports.front().collections.size());
  for (const auto& [group, ranks] : servers) {
    if (servers.size() > 1) text += fmt::format("\n server {} of {}\n{}", group + 1, servers.size(), header());
    text += table_of(ranks, rows);
  }
  if (!servers.empty()) text += numbers_of(reports.front().collections);
  return text;
}

}  // namespace thalweg::compat::pfio
