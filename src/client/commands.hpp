// What all clients call alike, as one of them tells it to the servers, which do the same without having fields.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/box.hpp"
#include "base/fingerprint.hpp"
#include "base/types.hpp"
#include "catalog/definition.hpp"
#include "transport/agreement.hpp"

namespace thalweg::client::commands {

struct Decompose {
  std::vector<std::string> dimensions;
  Index shape;
  Index halo_low;
  Index halo_high;
  bool masked = false;
};
struct DecomposeIndices {
  std::string dimension;
  std::int64_t size = 0;
  bool masked = false;
};
struct OpenCollection {
  std::string name;
};
// Collections and decompositions by their numbers in the order of the calls.
struct DefineDimension {
  int collection = 0;
  std::string name;
  std::int64_t size = 0;
};
struct DefineVariable {
  int collection = 0;
  std::string name;
  std::string dims;
  Type type = Type::float64;
  int decomposition = -1;
  std::string memory_dims;
};
struct DefineAttribute {
  int collection = 0;
  std::string variable;
  catalog::Attribute attribute;
};
struct ChangeAttribute : DefineAttribute {};
struct Ready {
  bool maps_at_once = true;
};
struct SetTime {
  double time_s = 0.0;
};
struct Advance {
  double time_s = 0.0;
};
struct NewFile {
  int collection = 0;
  std::string name;
};
struct Flush {};
struct Wait {};
struct Finish {};
// The model ends its session after a failure, or itself without thalweg_finish.
struct Abandon {
  std::string text;
};

using Command =
    std::variant<Decompose, DecomposeIndices, OpenCollection, DefineDimension, DefineVariable, DefineAttribute,
                 ChangeAttribute, Ready, SetTime, Advance, NewFile, Flush, Wait, Finish, Abandon>;

transport::Bytes pack(const Command& command);
// Throws AGREEMENT for bytes that pack() of this build does not give.
Command unpack(const transport::Bytes& bytes);

// What both have to have in common: the members of all commands and their sizes.
void add_layout(Fingerprint& layout);

}  // namespace thalweg::client::commands
