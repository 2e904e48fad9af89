#include "client/commands.hpp"

#include <fmt/format.h>

#include <utility>

namespace thalweg::client::commands {
namespace {

using transport::Packer;
using transport::Unpacker;

// Appends members, or takes them: one list of a command's members serves both ways.
struct Put {
  Packer& packer;

  template <typename T>
  void operator()(const T& value) {
    packer.put(value);
  }
  void operator()(const std::string& text) { packer.put_all(text); }
  void operator()(const std::vector<std::byte>& bytes) { packer.put_all(bytes); }
  void operator()(const std::vector<std::string>& texts) {
    packer.put(static_cast<std::int64_t>(texts.size()));
    for (const std::string& text : texts) packer.put_all(text);
  }
};

struct Take {
  Unpacker& unpacker;

  template <typename T>
  void operator()(T& value) {
    value = unpacker.get<T>();
  }
  void operator()(std::string& text) { text = unpacker.get_all<std::string>(); }
  void operator()(std::vector<std::byte>& bytes) { bytes = unpacker.get_all<std::vector<std::byte>>(); }
  void operator()(std::vector<std::string>& texts) {
    texts.resize(unpacker.get_count(sizeof(std::int64_t)));
    for (std::string& text : texts) text = unpacker.get_all<std::string>();
  }
};

struct Describe {
  Fingerprint& layout;

  template <typename T>
  void operator()(const T&) {
    layout.add(sizeof(T));
  }
  void operator()(const std::string&) { layout.add("text"); }
  void operator()(const std::vector<std::byte>&) { layout.add("bytes"); }
  void operator()(const std::vector<std::string>&) { layout.add("texts"); }
};

template <typename Each, typename... Members>
void all(Each each, Members&... members) {
  (each(members), ...);
}

// clang-format off
template <typename Each> void each_member(Each e, Decompose& v) { all(e, v.dimensions, v.shape, v.halo_low, v.halo_high, v.masked); }
template <typename Each> void each_member(Each e, DecomposeIndices& v) { all(e, v.dimension, v.size, v.masked); }
template <typename Each> void each_member(Each e, OpenCollection& v) { all(e, v.name); }
template <typename Each> void each_member(Each e, DefineDimension& v) { all(e, v.collection, v.name, v.size); }
template <typename Each> void each_member(Each e, DefineVariable& v) { all(e, v.collection, v.name, v.dims, v.type, v.decomposition, v.memory_dims); }
template <typename Each> void each_member(Each e, DefineAttribute& v) { all(e, v.collection, v.variable, v.attribute.name, v.attribute.type, v.attribute.text, v.attribute.values); }
template <typename Each> void each_member(Each e, Ready& v) { all(e, v.maps_at_once); }
template <typename Each> void each_member(Each e, SetTime& v) { all(e, v.time_s); }
template <typename Each> void each_member(Each e, Advance& v) { all(e, v.time_s); }
template <typename Each> void each_member(Each e, NewFile& v) { all(e, v.collection, v.name); }
template <typename Each> void each_member(Each, Flush&) {}
template <typename Each> void each_member(Each, Wait&) {}
template <typename Each> void each_member(Each, Finish&) {}
template <typename Each> void each_member(Each e, Abandon& v) { all(e, v.text); }
// clang-format on

template <std::size_t... Numbers>
Command command_of_kind(std::size_t kind, std::index_sequence<Numbers...>) {
  Command command;
  ((kind == Numbers ? static_cast<void>(command.emplace<Numbers>()) : void()), ...);
  return command;
}

}  // namespace

transport::Bytes pack(const Command& command) {
  Packer packer;
  packer.put(command.index());
  Command copy = command;
  std::visit([&](auto& of) { each_member(Put{packer}, of); }, copy);
  return packer.take();
}

Command unpack(const transport::Bytes& bytes) {
  Unpacker unpacker(bytes);
  const auto kind = unpacker.get<std::size_t>();
  if (kind >= std::variant_size_v<Command>)
    transport::refuse_message(fmt::format("its command has the number {}", kind));
  Command command = command_of_kind(kind, std::make_index_sequence<std::variant_size_v<Command>>());
  std::visit([&](auto& of) { each_member(Take{unpacker}, of); }, command);
  if (!unpacker.done()) transport::refuse_message("it is longer than its command");
  return command;
}

void add_layout(Fingerprint& layout) {
  for (std::size_t kind = 0; kind < std::variant_size_v<Command>; ++kind) {
    Command command = command_of_kind(kind, std::make_index_sequence<std::variant_size_v<Command>>());
    layout.add("command");
    std::visit([&](auto& of) { each_member(Describe{layout}, of); }, command);
  }
}

}  // namespace thalweg::client::commands
