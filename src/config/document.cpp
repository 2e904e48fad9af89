#include "config/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "config/yaml_fault.hpp"

namespace thalweg::config {
namespace {

// Far above any real configuration; they stop aliases of aliases of aliases, or of a long text, from filling the
// memory.
constexpr std::size_t most_nodes = 100000;
constexpr std::size_t most_text_bytes = std::size_t{4} << 20;
// Keys are settings, collections and variables; messages and origins repeat those above them.
constexpr std::size_t most_key_bytes = 256;

Place place_of(const YAML::Mark& mark) {
  return {mark.line + 1, mark.column + 1};
}

struct Size {
  std::size_t nodes = 0;
  std::size_t text_bytes = 0;
  Size& operator+=(const Size& other) {
    nodes += other.nodes;
    text_bytes += other.text_bytes;
    return *this;
  }
};

Size size_of(const Node& node) {
  Size size{1, node.text.size()};
  for (const Node& item : node.items) size += size_of(item);
  for (const Member& member : node.members) {
    size += {1, member.key.size()};
    size += size_of(member.value);
  }
  return size;
}

// Builds the tree from the parser's events; a key is an event of its own, before that of its value.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& yaml) : yaml_(yaml) {}
  Node take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    close({.node = make_node(Node::Kind::nothing, place_of(mark)), .anchor = anchor});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                const std::string& value) override {
    if (value.find('\0') != std::string::npos)
      throw SyntaxFault{place_of(mark), fmt::format("'{}…' has a NUL in it, at which names end", value.c_str())};
    if (is_quote_left_open(yaml_, static_cast<std::size_t>(mark.pos)))
      throw SyntaxFault{place_of(mark), "the text that begins with this quote is not closed by one"};
    close({.node = make_node(Node::Kind::scalar, place_of(mark), value), .anchor = anchor});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) throw SyntaxFault{place_of(mark), "an alias inside of what it stands for"};
    count(size_of(known->second), place_of(mark));
    put_in_place({.node = known->second});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open_.push_back({.node = make_node(Node::Kind::list, place_of(mark)), .anchor = anchor});
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open_.push_back({.node = make_node(Node::Kind::map, place_of(mark)), .anchor = anchor});
  }
  void OnSequenceEnd() override { close_innermost(); }
  void OnMapEnd() override {
    merge_others(open_.back().node);
    close_innermost();
  }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::optional<Member> pending{};  // of a map: the key whose value comes next
  };

  void close_innermost() {
    Open done = std::move(open_.back());
    open_.pop_back();
    close(std::move(done));
  }

  void close(Open done) {
    count({1, done.node.text.size()}, done.node.place);
    if (done.anchor != YAML::NullAnchor) {
      count(size_of(done.node), done.node.place);
      anchors_[done.anchor] = done.node;
    }
    put_in_place(std::move(done));
  }

  // What "<<" names (https://yaml.org/type/merge.html): the keys of other maps that this one does not have itself; of
  // several maps the first that has a key counts.
  static void merge_others(Node& map) {
    std::vector<Member> others;
    for (const Member& member : map.members)
      if (member.key == "<<") add_maps(member.value, others);
    std::erase_if(map.members, [](const Member& member) { return member.key == "<<"; });
    for (Member& other : others)
      if (std::ranges::find(map.members, other.key, &Member::key) == map.members.end())
        map.members.push_back(std::move(other));
  }

  static void add_maps(const Node& of, std::vector<Member>& members) {
    if (of.kind == Node::Kind::map)
      members.insert(members.end(), of.members.begin(), of.members.end());
    else if (of.kind == Node::Kind::list && std::ranges::all_of(of.items, is_map))
      for (const Node& map : of.items) add_maps(map, members);
    else
      throw SyntaxFault{of.place, "'<<' takes a map, or a list of maps, such as *NAME of what '&NAME' marks"};
  }
  static bool is_map(const Node& node) { return node.kind == Node::Kind::map; }

  // Copies count, and before they are made.
  void count(const Size& size, Place place) {
    size_ += size;
    if (size_.nodes > most_nodes || size_.text_bytes > most_text_bytes)
      throw SyntaxFault{place, fmt::format("the document is too large: more than {} values or {} bytes of text, what "
                                           "aliases stand for included; do its aliases multiply?",
                                           most_nodes, most_text_bytes)};
  }

  void put_in_place(Open done) {
    if (open_.empty())
      root_ = std::move(done.node);
    else
      attach(open_.back(), std::move(done.node));
  }

  static void attach(Open& parent, Node node) {
    if (parent.node.kind == Node::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.pending) {
      parent.pending->value = std::move(node);
      parent.node.members.push_back(std::move(*parent.pending));
      parent.pending.reset();
    } else if (node.kind == Node::Kind::scalar && node.text.size() > most_key_bytes) {
      throw SyntaxFault{node.place,
                        fmt::format("a key of {} bytes; {} are the most", node.text.size(), most_key_bytes)};
    } else if (node.kind == Node::Kind::scalar) {
      parent.pending = Member{.key = std::move(node.text), .place = node.place, .value = {}};
    } else {
      throw SyntaxFault{node.place, "a key must be a word"};
    }
  }

  const std::string& yaml_;
  Node root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node> anchors_;
  Size size_;
};

}  // namespace

Node make_node(Node::Kind kind, Place place, const std::string& text) {
  Node node;
  node.kind = kind;
  node.place = place;
  node.text = text;
  return node;
}

Node parse_document(const std::string& yaml) {
  std::istringstream text(yaml);
  TreeBuilder builder(yaml);
  try {
    YAML::Parser parser(text);
    parser.HandleNextDocument(builder);
    Node root = builder.take_root();
    if (parser.HandleNextDocument(builder))
      throw SyntaxFault{builder.take_root().place, "a second YAML document begins; the configuration is one"};
    return root;
  } catch (const YAML::Exception& fault) {
    if (fault.mark.is_null()) throw SyntaxFault{{}, "YAML: " + fault.msg};
    throw explain_fault(yaml, place_of(fault.mark), fault.msg);
  }
}

}  // namespace thalweg::config
