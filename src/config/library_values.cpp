#include "config/library_values.hpp"

#include "config/hints.hpp"
#include "config/text_maps.hpp"

namespace thalweg::config {
namespace {

// Lustre takes multiples of this.
constexpr std::int64_t stripe_unit_bytes = std::int64_t{64} << 10;

Hints hints_of(const Node& node) {
  Hints hints;
  if (is_none(node)) return hints;
  for (const Member& member : members_of(node, "a map such as {cb_nodes: 4, cb_buffer_size: 16 MiB}"))
    hints[member.key] = checked_hint(member.key, scalar(member.value));
  return hints;
}

Striping striping_of(const Node& node) {
  Striping striping;
  if (is_none(node)) return striping;
  for (const Member& member : members_of(node, "a map such as {count: 8, size: 4 MiB}")) {
    if (member.key == "count")
      striping.count = parse_integer(scalar(member.value), 1);
    else if (member.key == "size")
      striping.bytes = parse_bytes(scalar(member.value), stripe_unit_bytes);
    else
      throw BadValue(fmt::format("unknown key '{}'; there are 'count' and 'size'", member.key));
  }
  if (striping.bytes % stripe_unit_bytes != 0)
    throw BadValue(fmt::format("size: {} is no multiple of 64 KiB, as Lustre wants it", format_bytes(striping.bytes)));
  return striping;
}

std::string text_of(const Striping& striping) {
  if (!striping.is_set()) return "none";
  if (striping.bytes == 0) return fmt::format("{{count: {}}}", striping.count);
  if (striping.count == 0) return fmt::format("{{size: {}}}", format_bytes(striping.bytes));
  return fmt::format("{{count: {}, size: {}}}", striping.count, format_bytes(striping.bytes));
}

}  // namespace

Values<Hints> hints_or_none() {
  return {.kind = "map of names to values such as `{cb_nodes: 4, cb_buffer_size: 16 MiB}`, or `none`",
          .allowed = {},
          .parse = hints_of,
          .format = [](const Hints& hints) { return text_of(hints); }};
}

Values<Striping> striping_or_none() {
  return {.kind = "map such as `{count: 8, size: 4 MiB}`, or `none`",
          .allowed = {},
          .parse = striping_of,
          .format = [](const Striping& striping) { return text_of(striping); }};
}

}  // namespace thalweg::config
