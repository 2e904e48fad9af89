// Messages as values: a variant of plain structs, each of which lists its members once, by
// `auto members() { return std::tie(...); }`. What is sent, and what both sides have to have in common, follows from
// that.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/fingerprint.hpp"
#include "transport/messenger.hpp"
#include "transport/packing.hpp"

namespace thalweg::transport {
namespace detail {

template <typename T>
void put(Packer& packer, const T& value) {
  packer.put(value);
}
template <typename T>
void put(Packer& packer, const std::vector<T>& values) {
  packer.put_all(values);
}
inline void put(Packer& packer, const std::string& text) {
  packer.put_all(text);
}
inline void put(Packer& packer, const std::vector<std::string>& texts) {
  packer.put(static_cast<std::int64_t>(texts.size()));
  for (const std::string& text : texts) packer.put_all(text);
}

template <typename T>
void take(Unpacker& unpacker, T& value) {
  value = unpacker.get<T>();
}
template <typename T>
void take(Unpacker& unpacker, std::vector<T>& values) {
  values = unpacker.get_all<std::vector<T>>();
}
inline void take(Unpacker& unpacker, std::string& text) {
  text = unpacker.get_all<std::string>();
}
inline void take(Unpacker& unpacker, std::vector<std::string>& texts) {
  texts.resize(unpacker.get_count(sizeof(std::int64_t)));
  for (std::string& text : texts) text = unpacker.get_all<std::string>();
}

template <typename T>
void describe(Fingerprint& layout, const T& /*value*/) {
  layout.add(sizeof(T));
}
template <typename T>
void describe(Fingerprint& layout, const std::vector<T>& /*values*/) {
  layout.add("values");
  layout.add(sizeof(T));
}
inline void describe(Fingerprint& layout, const std::string& /*text*/) {
  layout.add("text");
}
inline void describe(Fingerprint& layout, const std::vector<std::string>& /*texts*/) {
  layout.add("texts");
}

template <typename Message, std::size_t... Numbers>
Message of_kind(std::size_t kind, std::index_sequence<Numbers...> /*all*/) {
  Message message;
  ((kind == Numbers ? static_cast<void>(message.template emplace<Numbers>()) : void()), ...);
  return message;
}
template <typename Message>
Message of_kind(std::size_t kind) {
  return of_kind<Message>(kind, std::make_index_sequence<std::variant_size_v<Message>>());
}

}  // namespace detail

template <typename Message>
Bytes pack(Message message) {
  Packer packer;
  packer.put(message.index());
  std::visit([&](auto& of) { std::apply([&](auto&... member) { (detail::put(packer, member), ...); }, of.members()); },
             message);
  return packer.take();
}

// Errors: AGREEMENT for bytes that pack() of this build does not give.
template <typename Message>
Message unpack(const Bytes& bytes) {
  Unpacker unpacker(bytes);
  const auto kind = unpacker.get<std::size_t>();
  if (kind >= std::variant_size_v<Message>) refuse_message(fmt::format("its kind has the number {}", kind));
  Message message = detail::of_kind<Message>(kind);
  std::visit(
      [&](auto& of) { std::apply([&](auto&... member) { (detail::take(unpacker, member), ...); }, of.members()); },
      message);
  if (!unpacker.done()) refuse_message("it is longer than its kind says");
  return message;
}

// The members of all kinds and their sizes.
template <typename Message>
void add_layout(Fingerprint& layout) {
  for (std::size_t kind = 0; kind < std::variant_size_v<Message>; ++kind) {
    Message message = detail::of_kind<Message>(kind);
    layout.add("message");
    std::visit(
        [&](auto& of) { std::apply([&](auto&... member) { (detail::describe(layout, member), ...); }, of.members()); },
        message);
  }
}

template <typename Message>
class TypedMessages {
 public:
  explicit TypedMessages(std::unique_ptr<Messenger> messenger) : messenger_(std::move(messenger)) {}

  void send(int rank, Message message) { messenger_->send(rank, pack(std::move(message))); }
  // Errors: AGREEMENT.
  std::optional<Message> receive() {
    const std::optional<Bytes> bytes = messenger_->receive();
    return bytes ? std::optional(unpack<Message>(*bytes)) : std::nullopt;
  }
  bool is_idle() { return messenger_->is_idle(); }
  Messenger& messenger() { return *messenger_; }

 private:
  std::unique_ptr<Messenger> messenger_;
};

}  // namespace thalweg::transport
