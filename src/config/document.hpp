// A YAML text as a plain tree in which every key and value knows its place. Anchors and aliases are resolved.
#pragma once

#include <string>
#include <vector>

namespace thalweg::config {

// Line and column, counted from 1; line 0: unknown.
struct Place {
  int line = 0;
  int column = 0;
};

struct Member;

struct Node {
  enum class Kind { nothing, scalar, list, map };
  Kind kind = Kind::nothing;
  Place place;
  std::string text;             // of a scalar
  std::vector<Node> items;      // of a list
  std::vector<Member> members;  // of a map, in the order of the text, duplicates included
};

struct Member {
  std::string key;
  Place place;
  Node value;
};

// A node without content but its text.
Node make_node(Node::Kind kind, Place place, const std::string& text = "");

// Thrown for a text that is no YAML document.
struct SyntaxFault {
  Place place;
  std::string text;
};

// An empty text gives a node of kind nothing.
Node parse_document(const std::string& yaml);

}  // namespace thalweg::config
