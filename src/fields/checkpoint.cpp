#include "fields/checkpoint.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/names.hpp"
#include "transport/collective.hpp"

namespace thalweg::fields {
namespace kept {

std::string name(Of what, std::size_t variable) {
  constexpr std::array<std::string_view, 4> words = {"values", "squares", "begins", "weights"};  // in their order
  return fmt::format("{}_{}", words[static_cast<std::size_t>(what)], variable + 1);
}

bool has(Of what, config::Operation operation) {
  if (what == Of::squares) return operation == config::Operation::std;
  return what != Of::begins || operation == config::Operation::difference;
}

std::vector<double>& in(Of what, Accumulator::OfCells& cells) {
  switch (what) {
    case Of::values: return cells.values;
    case Of::squares: return cells.squares;
    case Of::begins: return cells.begins;
    default: return cells.weights;
  }
}

std::string ending_of(const std::string& of) {
  std::string ending = "_in_" + of;
  std::ranges::replace(ending, '/', '_');
  return ending;
}

put::Field array_of(const std::vector<double>& values, const HeldField& held, std::size_t box) {
  const Index extent = in_memory_order(held.boxes[box].count, held.variable.rules);
  return {reinterpret_cast<const std::byte*>(values.data()), Type::float64, extent,
          contiguous_strides(extent, static_cast<std::int64_t>(sizeof(double)))};
}

}  // namespace kept

namespace {

// Two files, as of restarts: the one before stays until the next is complete.
constexpr const char* own_keys =
    "every: on-demand\n"
    "cycle: 2\n"
    "file: checkpoint.%n.nc\n"
    "format: cdf5\n"
    "turns: collections\n";

void require_exact(const config::CollectionSettings& collection) {
  const auto refuse = [](const char* key, const char* why) {
    fail(THALWEG_ERROR_CONFIG,
         "collection '{}' is that of thalweg_checkpoint, and {}; leave '{}' out of it, or of the "
         "defaults",
         kept::collection, why, key);
  };
  if (!collection.is_on_demand()) refuse("every", "its records are those calls");
  if (collection.cycle < 2) refuse("cycle", "its files are two or more that are written in turn, as 'cycle: 2' says");
  if (!collection.fields.chosen.empty()) refuse("fields", "has what others gather");
  if (!collection.format->traits.makes_files() || !collection.format->no_continuing.empty())
    refuse("format", "files of its format cannot be read again");
  if (collection.compression.keep_digits || collection.compression.keep_bits)
    refuse(collection.compression.keep_digits ? "keep-digits" : "keep-bits", "its values are not rounded");
}

// A number of ranks that hold cells: the largest, and the negative of the least.
class Spread {
 public:
  void take(std::int64_t number) {
    most_ = std::max(most_, number);
    negative_ = std::max(negative_, -number);
  }
  void tell(std::vector<std::int64_t>& all) const { all.insert(all.end(), {most_, negative_}); }
  static Spread heard(std::span<const std::int64_t> told) {
    Spread spread;
    spread.most_ = told[0];
    spread.negative_ = told[1];
    return spread;
  }
  std::int64_t least() const { return has_any() ? -negative_ : 0; }
  std::int64_t most() const { return has_any() ? most_ : 0; }

 private:
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  bool has_any() const { return most_ != none; }
  std::int64_t most_ = none, negative_ = none;
};

// What is gathered for a variable, of a field.
struct Kept {
  const Gathering& gathering;
  Output& output;
  std::size_t of;  // the place among what the variable gathers
  int field;
  config::Operation operation;

  std::span<Accumulator> accumulators() const { return output.gathered()->accumulators(of); }
};

// Calls use(kept) for all that is kept, in the order of its numbers.
template <typename Use>
void for_each_kept(const std::vector<Gathering>& all, const Use& use) {
  for (const Gathering& gathering : all)
    for (Output& output : gathering.collection->outputs()) {
      if (!output.is_gathered()) continue;
      const std::vector<Gathered> gathered = gathered_of(output.chosen());
      for (std::size_t of = 0; of < gathered.size(); ++of)
        use(Kept{gathering, output, of, gathered[of].field, gathered[of].operation});
    }
}

// Of a field without decomposition the first client's values are written. Weights are in the order of their bits, none
// being negative.
void tell_taken(std::vector<std::int64_t>& told, const Kept& kept, bool counts) {
  Spread samples, weights;
  for (const Accumulator& each : kept.accumulators()) {
    if (!counts) continue;
    samples.take(each.taken().samples);
    weights.take(std::bit_cast<std::int64_t>(each.taken().weight));
  }
  samples.tell(told);
  weights.tell(told);
}

// How often each variable was put, which is the same for all its cells. Collective. Errors: STATE where it is not.
std::vector<Accumulator::Taken> taken_of(const roles::Circle& clients, const std::vector<Gathering>& all,
                                         const std::vector<Field>& fields) {
  std::vector<std::int64_t> told;
  for_each_kept(all, [&](const Kept& kept) {
    const bool is_decomposed = fields[static_cast<std::size_t>(kept.field)].decomposition >= 0;
    tell_taken(told, kept, is_decomposed || clients.rank() == 0);
  });
  transport::maximum(clients, told);
  std::vector<Accumulator::Taken> taken;
  for_each_kept(all, [&](const Kept& kept) {
    const auto of = std::span<const std::int64_t>(told).subspan(4 * taken.size());
    const Spread samples = Spread::heard(of), weights = Spread::heard(of.subspan(2));
    const auto weight = [](std::int64_t bits) { return std::bit_cast<double>(bits); };
    const auto refuse = [&](const std::string& what) {
      fail(THALWEG_ERROR_STATE,
           "thalweg_checkpoint: collection '{}', variable '{}': {}; what is gathered can be kept where all ranks put a "
           "field in the same steps, with the same weights",
           kept.gathering.about.name, kept.output.chosen().variable, what);
    };
    if (samples.least() != samples.most())
      refuse(fmt::format("some ranks have put it in {} of its interval and others in {}",
                         counted(samples.least(), "step"), samples.most()));
    if (weights.least() != weights.most())
      refuse(fmt::format("the weights with which ranks have put it are {} altogether on some and {} on others",
                         weight(weights.least()), weight(weights.most())));
    taken.push_back({samples.most(), weight(weights.most())});
  });
  return taken;
}

}  // namespace

config::CollectionSettings checkpoint_settings(const config::Settings& settings) {
  config::Settings with_it = settings;
  config::add_collection(with_it, kept::collection, own_keys);
  require_exact(with_it.collections.at(kept::collection));
  return with_it.collections.at(kept::collection);
}

void Checkpoint::write(const roles::Circle& clients, std::vector<Gathering> all, const std::vector<Field>& fields,
                       const Dimensions& dimensions) {
  session_.wait();
  if (all.empty() || written_s_ == session_.now_s()) return;
  const std::vector<Accumulator::Taken> taken = taken_of(clients, all, fields);
  std::vector<KeptCollection> about;
  for (const Gathering& gathering : all) about.push_back(gathering.about);
  if (const std::string says = text_of(about); collection_ == nullptr || says != says_)
    open(all, says, fields, dimensions);
  put(all, taken);
  session_.record(*collection_, session_.now_s());
  session_.wait();
  written_s_ = session_.now_s();
}

// The variables of its files are those that it was opened with: where others are gathered, another one goes on in its
// place.
void Checkpoint::open(const std::vector<Gathering>& all, const std::string& says, const std::vector<Field>& fields,
                      const Dimensions& dimensions) {
  checkpoint_settings(session_.settings());
  session::Definitions& definitions = session_.definitions();
  session::Collection* const earlier = collection_;
  collection_ = earlier == nullptr ? &definitions.open_collection_text(kept::collection, own_keys)
                                   : &definitions.succeed(*earlier, kept::collection);
  try {
    define(all, fields, dimensions);
    definitions.define_attribute(*collection_, "", catalog::text_attribute(kept::says, says));
    session_.ready();
  } catch (...) {
    session::Collection& failed = *std::exchange(collection_, earlier);
    if (!failed.has_failed) definitions.give_up(failed);
    throw;
  }
  says_ = says;
  if (earlier != nullptr) session_.close_file(*earlier, session::Session::Behind::nothing);
}

void Checkpoint::define(const std::vector<Gathering>& all, const std::vector<Field>& fields,
                        const Dimensions& dimensions) {
  session::Definitions& definitions = session_.definitions();
  std::size_t variables = 0;
  for_each_kept(all, [&](const Kept& kept) {
    const Field& field = fields[static_cast<std::size_t>(kept.field)];
    const Region& region = kept.output.region();
    const std::string ending = kept::ending_of(kept.gathering.about.name);
    define_dimensions(session_, *collection_, field, dimensions, region, ending);
    const DefinedDimensions of = dimensions_in(session_, field, region, ending);
    for (const kept::Of what : kept::all)
      if (kept::has(what, kept.operation))
        define_variable(kept::name(what, variables), of,
                        fmt::format("of '{}' in '{}'", kept.output.chosen().variable, kept.gathering.about.name));
    const double none = -1.0;  // a weight that no cell has
    definitions.define_attribute(
        *collection_, kept::name(kept::Of::weights, variables),
        catalog::attribute_of("_FillValue", Type::float64, std::as_bytes(std::span(&none, 1))));
    ++variables;
  });
  definitions.define_dimension(*collection_, "checkpoint_collection", std::ssize(all));
  definitions.define_dimension(*collection_, "checkpoint_variable",
                               static_cast<std::int64_t>(std::max<std::size_t>(1, variables)));
  definitions.define_dimension(*collection_, "place", 3);
  definitions.define_dimension(*collection_, "share", 2);
  define_variable(kept::places, {"checkpoint_collection,place", "", -1},
                  "start of the first run, begin of the interval, records before it");
  define_variable(kept::taken, {"checkpoint_variable,share", "", -1}, "samples, weight");
}

void Checkpoint::define_variable(const std::string& name, const DefinedDimensions& of, const std::string& about) {
  const std::string& record = collection_->declaration.settings().record_dimension;
  session::Definitions& definitions = session_.definitions();
  definitions.define_variable(*collection_, name, of.dims.empty() ? record : record + "," + of.dims, Type::float64,
                              of.decomposition, of.memory_dims);
  definitions.define_attribute(*collection_, name, catalog::text_attribute("long_name", about));
}

void Checkpoint::put(const std::vector<Gathering>& all, const std::vector<Accumulator::Taken>& taken) {
  std::vector<double> places, numbers;
  for (const Gathering& gathering : all) {
    const files::RecordInterval& interval = *gathering.collection->interval();
    const files::Upcoming& upcoming = gathering.collection->upcoming();
    const std::int64_t records = upcoming.opens_file ? 0 : upcoming.index_in_file;
    places.insert(places.end(), {interval.run_start_s(), interval.begin_s(), static_cast<double>(records)});
  }
  std::size_t variable = 0;
  for_each_kept(all, [&](const Kept& of) {
    for (std::size_t box = 0; box < of.accumulators().size(); ++box) {
      Accumulator::OfCells cells = of.accumulators()[box].of_cells();
      for (const kept::Of what : kept::all)
        if (kept::has(what, of.operation))
          session_.put(*collection_, kept::name(what, variable), static_cast<int>(box),
                       kept::array_of(kept::in(what, cells), of.output.variable().held(), box));
    }
    numbers.insert(numbers.end(), {static_cast<double>(taken[variable].samples), taken[variable].weight});
    ++variable;
  });
  if (numbers.empty()) numbers.resize(2);
  put_numbers(kept::places, places, 3);
  put_numbers(kept::taken, numbers, 2);
}

void Checkpoint::put_numbers(const char* variable, const std::vector<double>& numbers, std::int64_t of_each) {
  const Index extent{std::ssize(numbers) / of_each, of_each};
  session_.put(*collection_, variable, 0,
               {reinterpret_cast<const std::byte*>(numbers.data()), Type::float64, extent,
                contiguous_strides(extent, static_cast<std::int64_t>(sizeof(double)))});
}

}  // namespace thalweg::fields
