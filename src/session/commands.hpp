// What all clients call alike, as one of them tells it to the servers, which do the same without having fields.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "base/box.hpp"
#include "base/types.hpp"
#include "catalog/definition.hpp"
#include "geometry/selection.hpp"
#include "transport/typed_messages.hpp"

namespace thalweg::session::commands {

struct Decompose {
  std::vector<std::string> dimensions;
  Index shape;
  Index halo_low;
  Index halo_high;
  bool masked = false;
  bool has_own_names = false;
  auto members() { return std::tie(dimensions, shape, halo_low, halo_high, masked, has_own_names); }
};
struct DecomposePoints {
  std::vector<std::string> dimensions;
  Index sizes;
  bool masked = false;
  auto members() { return std::tie(dimensions, sizes, masked); }
};
// What of a decomposition collections have: along each dimension so many progressions, each of which is three numbers.
struct Select {
  int decomposition = -1;
  std::vector<std::string> dimensions;
  std::vector<std::int64_t> progressions;  // of each dimension: how many
  std::vector<std::int64_t> numbers;
  auto members() { return std::tie(decomposition, dimensions, progressions, numbers); }
};
Select selected(int decomposition, const std::vector<std::string>& dimensions,
                const std::vector<geometry::Selection>& selections);
std::vector<geometry::Selection> selections_of(const Select& select);
struct OpenCollection {
  std::string name;
  auto members() { return std::tie(name); }
};
struct OpenCollectionText {
  std::string name;
  std::string yaml;
  std::string like;
  auto members() { return std::tie(name, yaml, like); }
};
// Collections and decompositions by their numbers in the order of the calls.
struct Succeed {
  int collection = 0;
  std::string name;
  auto members() { return std::tie(collection, name); }
};
struct DefineDimension {
  int collection = 0;
  std::string name;
  std::int64_t size = 0;
  auto members() { return std::tie(collection, name, size); }
};
struct DefineVariable {
  int collection = 0;
  std::string name;
  std::string dims;
  Type type = Type::float64;
  int decomposition = -1;
  std::string memory_dims;
  auto members() { return std::tie(collection, name, dims, type, decomposition, memory_dims); }
};
struct DefineAttribute {
  int collection = 0;
  std::string variable;
  catalog::Attribute attribute;
  auto members() {
    return std::tie(collection, variable, attribute.name, attribute.type, attribute.text, attribute.values);
  }
};
struct ChangeAttribute : DefineAttribute {};
struct AddAttribute : DefineAttribute {};
struct GiveUp {
  int collection = 0;
  auto members() { return std::tie(collection); }
};
// What an earlier run has gathered is gone on with.
struct GoOn {
  int collection = 0;
  double run_start_s = 0.0;
  double begin_s = 0.0;
  std::int64_t records = 0;
  auto members() { return std::tie(collection, run_start_s, begin_s, records); }
};
// One that is opened behind advances goes on as if it had been there before them.
struct GoTo {
  int collection = 0;
  double start_s = 0.0;
  double now_s = 0.0;
  double said_s = 0.0;
  std::int64_t steps = 0;
  auto members() { return std::tie(collection, start_s, now_s, said_s, steps); }
};
struct Ready {
  bool maps_at_once = true;
  std::int64_t kept_bytes = 0;  // of the staging memory, for collections that clients have sketched
  auto members() { return std::tie(maps_at_once, kept_bytes); }
};
struct SetTime {
  double time_s = 0.0;
  auto members() { return std::tie(time_s); }
};
struct SetEndTime {
  double time_s = 0.0;
  auto members() { return std::tie(time_s); }
};
struct Advance {
  double time_s = 0.0;
  auto members() { return std::tie(time_s); }
};
struct Record {
  int collection = 0;
  double time_s = 0.0;
  bool is_left_out = false;  // the interval ends without it
  auto members() { return std::tie(collection, time_s, is_left_out); }
};
struct NewFile {
  int collection = 0;
  std::string name;
  auto members() { return std::tie(collection, name); }
};
struct CloseFile {
  int collection = 0;
  bool is_last = false;  // the collection has no more records
  auto members() { return std::tie(collection, is_last); }
};
struct Flush {
  static auto members() { return std::tie(); }
};
struct Wait {
  static auto members() { return std::tie(); }
};
struct Finish {
  static auto members() { return std::tie(); }
};
// The model ends its session after a failure, or itself without thalweg_finish.
struct Abandon {
  std::string text;
  auto members() { return std::tie(text); }
};

using Command =
    std::variant<Decompose, DecomposePoints, Select, OpenCollection, OpenCollectionText, Succeed, DefineDimension,
                 DefineVariable, DefineAttribute, ChangeAttribute, AddAttribute, GiveUp, GoOn, GoTo, Ready, SetTime,
                 SetEndTime, Advance, Record, NewFile, CloseFile, Flush, Wait, Finish, Abandon>;
using Commands = transport::TypedMessages<Command>;

// How far a server may be behind, or a little more, before the lowest client waits for it.
constexpr int window = 64;

}  // namespace thalweg::session::commands
