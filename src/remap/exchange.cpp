#include "remap/exchange.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <utility>

#include "transport/agreement.hpp"
#include "transport/packing.hpp"
#include "transport/round_messages.hpp"

namespace thalweg::remap {
namespace {

using Numbers = std::vector<std::int64_t>;

// Collective; by rank.
std::map<int, Numbers> exchanged(const roles::Circle& circle, const std::map<int, Numbers>& to) {
  std::map<int, transport::Bytes> bytes;
  for (const auto& [rank, numbers] : to) bytes[rank] = transport::Packer().put_all(numbers).take();
  std::map<int, Numbers> from;
  for (const auto& [rank, of] : transport::exchange_sparsely(circle, std::move(bytes)))
    from[rank] = transport::Unpacker(of).get_all<Numbers>();
  return from;
}

std::map<int, Numbers> by_rank(const Numbers& cells, int ranks) {
  std::map<int, Numbers> of;
  for (const std::int64_t cell : cells)
    if (cell >= 0) of[static_cast<int>(cell % ranks)].push_back(cell);
  return of;
}

// Who has each of these cells, by rank. Every rank keeps for some cells who has them, so that nobody knows all.
std::map<int, Numbers> holders_of(const roles::Circle& circle, const Numbers& held, const Numbers& sources) {
  const int ranks = circle.size();
  std::unordered_map<std::int64_t, int> holder;
  for (const auto& [rank, cells] : exchanged(circle, by_rank(held, ranks)))
    for (const std::int64_t cell : cells) holder.try_emplace(cell, rank);
  const std::map<int, Numbers> asked = by_rank(sources, ranks);
  std::map<int, Numbers> answers;
  for (const auto& [rank, cells] : exchanged(circle, asked))
    for (const std::int64_t cell : cells) {
      const auto found = holder.find(cell);
      answers[rank].push_back(found == holder.end() ? -1 : found->second);
    }
  std::map<int, Numbers> of;
  for (const auto& [rank, holders] : exchanged(circle, answers))
    for (std::size_t i = 0; i < holders.size(); ++i)
      if (holders[i] >= 0) of[static_cast<int>(holders[i])].push_back(asked.at(rank)[i]);
  for (auto& [rank, cells] : of) std::ranges::sort(cells);
  return of;
}

// Where each of the cells is among others, which have it.
std::vector<std::size_t> places_of(const Numbers& cells, const Numbers& among) {
  std::unordered_map<std::int64_t, std::size_t> place;
  for (std::size_t i = 0; i < among.size(); ++i) place.try_emplace(among[i], i);
  std::vector<std::size_t> places;
  for (const std::int64_t cell : cells) places.push_back(place.at(cell));
  return places;
}

std::int64_t bytes_of(std::size_t cells, std::int64_t layers) {
  return static_cast<std::int64_t>(cells * sizeof(double)) * layers;
}

}  // namespace

Exchange::Exchange(const roles::Circle& circle, const std::vector<std::int64_t>& held, Rows rows)
    : circle_(circle), held_(held.size()), rows_(std::move(rows)) {
  const std::map<int, Numbers> needed = holders_of(circle, held, rows_.sources());
  for (const auto& [rank, cells] : needed) coming_[rank] = places_of(cells, rows_.sources());
  for (const auto& [rank, cells] : exchanged(circle, needed)) wanted_[rank] = places_of(cells, held);
}

std::vector<double> Exchange::remapped(std::span<const double> values, std::int64_t layers,
                                       const MissingRule& rule) const {
  transport::RoundMessages messages(circle_);
  for (const auto& [rank, cells] : coming_) messages.expect(rank, bytes_of(cells.size(), layers));
  const auto all_layers = static_cast<std::size_t>(layers);
  for (const auto& [rank, cells] : wanted_) {
    RawBytes going(static_cast<std::size_t>(bytes_of(cells.size(), layers)));
    std::byte* to = going.data();
    for (std::size_t layer = 0; layer < all_layers; ++layer)
      for (const std::size_t cell : cells) {
        std::memcpy(to, &values[layer * held_ + cell], sizeof(double));
        to += sizeof(double);
      }
    messages.send(rank, std::move(going));
  }
  const std::vector<RawBytes> come = messages.end_round();
  messages.end();
  const std::size_t own = static_cast<std::size_t>(rows_.cells());
  std::vector<double> sources(rows_.sources().size()), results(own * all_layers);
  for (std::size_t layer = 0; layer < all_layers; ++layer) {
    std::ranges::fill(sources, std::numeric_limits<double>::quiet_NaN());
    auto message = come.begin();
    for (const auto& [rank, places] : coming_) {
      const std::byte* from = (message++)->data() + layer * places.size() * sizeof(double);
      for (const std::size_t place : places) {
        std::memcpy(&sources[place], from, sizeof(double));
        from += sizeof(double);
      }
    }
    rows_.apply(sources, rule, std::span(results).subspan(layer * own, own));
  }
  return results;
}

}  // namespace thalweg::remap
