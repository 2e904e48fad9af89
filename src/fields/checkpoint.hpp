// A checkpoint: what collections have gathered of intervals that have not ended, in files of Thalweg's own, which are
// written in turn. Any ranks go on from it, whatever has written it.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fields/chosen_collection.hpp"
#include "fields/kept_collection.hpp"
#include "roles/circle.hpp"

namespace thalweg::fields {

// What is in its files.
namespace kept {
constexpr const char* collection = "checkpoint";    // that has them
constexpr const char* says = "thalweg_checkpoint";  // attribute: text_of all collections
constexpr const char* places = "places";            // of each collection, as KeptInterval
constexpr const char* taken = "taken";              // of each variable, as Accumulator::Taken
enum class Of { values, squares, begins, weights };
std::string name(Of what, std::size_t variable);  // as the others, counted over all collections
bool has(Of what, config::Operation operation);
std::vector<double>& in(Of what, Accumulator::OfCells& cells);
inline constexpr std::array all = {Of::values, Of::squares, Of::begins, Of::weights};
// Of the names of dimensions of which a collection has a part.
std::string ending_of(const std::string& of);
// Of a box, in the order of the model's memory without halo.
put::Field array_of(const std::vector<double>& values, const HeldField& held, std::size_t box);
}  // namespace kept

// The settings of that collection in this run. Errors: CONFIG for those by which the values would not be what they are.
config::CollectionSettings checkpoint_settings(const config::Settings& settings);

// A collection that gathers, and what a checkpoint says of it.
struct Gathering {
  ChosenCollection* collection;
  KeptCollection about;
};

class Checkpoint {
 public:
  // The session outlives this.
  explicit Checkpoint(session::Session& session) : session_(session) {}

  // Collective; clients: those who call. When it returns, the file is complete, and what it says of others is in them.
  // Errors: STATE, CONFIG, and those of records.
  void write(const roles::Circle& clients, std::vector<Gathering> all, const std::vector<Field>& fields,
             const Dimensions& dimensions);

 private:
  void open(const std::vector<Gathering>& all, const std::string& says, const std::vector<Field>& fields,
            const Dimensions& dimensions);
  void define(const std::vector<Gathering>& all, const std::vector<Field>& fields, const Dimensions& dimensions);
  void define_variable(const std::string& name, const DefinedDimensions& of, const std::string& about);
  void put(const std::vector<Gathering>& all, const std::vector<Accumulator::Taken>& taken);
  void put_numbers(const char* variable, const std::vector<double>& numbers, std::int64_t of_each);

  session::Session& session_;
  session::Collection* collection_ = nullptr;  // once there was one
  std::string says_;                           // its files, of what they have
  std::optional<double> written_s_;
};

}  // namespace thalweg::fields
