// The grammar of expressions, from what binds least to what binds most: ?: with comparisons, sums, products, signs,
// powers.
#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <tao/pegtl.hpp>
#include <utility>

#include "config/expression_tree.hpp"

namespace thalweg::config {
namespace {

namespace rules {
using namespace tao::pegtl;

struct blanks : star<blank> {};
struct choice;
struct factor;

struct digits : plus<digit> {};
struct fraction : seq<one<'.'>, star<digit>> {};
struct exponent : seq<one<'e', 'E'>, opt<one<'+', '-'>>, digits> {};
struct number_text : seq<sor<seq<digits, opt<fraction>>, seq<one<'.'>, digits>>, opt<exponent>> {};
struct number : number_text {};
// No value, but what a reader may think is one.
struct duration : seq<number_text, plus<blank>, identifier> {};
struct name : identifier {};
template <char quote>
struct name_within : plus<not_one<quote>> {};
template <char quote>
struct closing_quote : one<quote> {};
template <char quote>
struct quoted : if_must<one<quote>, name_within<quote>, closing_quote<quote>> {};
struct callee : seq<identifier, blanks, one<'('>> {};
struct closing : one<')'> {};
struct call : if_must<callee, blanks, list_must<choice, one<','>, blank>, blanks, closing> {};
struct group : if_must<one<'('>, blanks, choice, closing> {};
struct value : seq<sor<duration, number, quoted<'\''>, quoted<'"'>, call, name, group>, blanks> {};

template <typename Operand, char... text>
struct binary : if_must<string<text...>, blanks, Operand> {};
template <typename Operand, char... text>
struct unary : if_must<string<text...>, blanks, Operand> {};

struct power : seq<value, opt<sor<binary<factor, '^'>, binary<factor, '*', '*'>>>> {};
struct factor : sor<unary<factor, '-'>, unary<factor, '+'>, power> {};
struct product : seq<factor, star<sor<binary<factor, '*'>, binary<factor, '/'>>>> {};
struct sum : seq<product, star<sor<binary<product, '+'>, binary<product, '-'>>>> {};
struct comparison : seq<sum, opt<sor<binary<sum, '<', '='>, binary<sum, '>', '='>, binary<sum, '=', '='>,
                                     binary<sum, '!', '='>, binary<sum, '<'>, binary<sum, '>'>>>> {};
struct colon : seq<one<':'>, blanks> {};
struct branches : if_must<one<'?'>, blanks, choice, colon, choice> {};
struct choice : seq<comparison, opt<branches>> {};
struct end : eof {};
struct whole : must<blanks, choice, end> {};

// Where a rule fails that has one, that is the fault.
struct Faults {
  template <typename Rule>
  static constexpr const char* message = nullptr;
};
template <>
constexpr const char* Faults::message<factor> = "a number, a field, a function or '(' is wanted here";
template <>
constexpr const char* Faults::message<closing> = "an operator or ')' is wanted here";
template <>
constexpr const char* Faults::message<end> = "an operator is wanted here, or the end";
template <>
constexpr const char* Faults::message<colon> = "':' is wanted here, as in 'a > 0 ? b : c'";
template <char quote>
constexpr const char* Faults::message<name_within<quote>> = "the name of a field is wanted here";
template <char quote>
constexpr const char* Faults::message<closing_quote<quote>> = "the quote behind the name is wanted here";

template <typename Rule>
struct Control : must_if<Faults, normal, false>::control<Rule> {};

}  // namespace rules

// Terms whose function has not come yet.
struct Stack {
  struct Call {
    std::string name;
    std::size_t begin;
    std::size_t terms;  // before its arguments
  };
  std::vector<Term> terms;
  std::vector<Call> calls;

  std::vector<Term> taken(std::size_t from) {
    const auto first = terms.begin() + static_cast<std::ptrdiff_t>(from);
    std::vector<Term> top(std::make_move_iterator(first), std::make_move_iterator(terms.end()));
    terms.erase(first, terms.end());
    return top;
  }
};

template <typename Input>
std::size_t begin_of(const Input& in) {
  return in.position().byte;
}
// Blanks behind it are not of a term.
template <typename Input>
std::size_t end_of(const Input& in) {
  return in.position().byte + in.string_view().find_last_not_of(" \t") + 1;
}

template <typename Rule>
struct Action {};

template <>
struct Action<rules::number> {
  template <typename Input>
  static void apply(const Input& in, Stack& stack) {
    Term made{.begin = begin_of(in), .end = end_of(in)};
    const auto read = std::from_chars(in.begin(), in.end(), made.number);
    if (read.ec != std::errc()) throw ExpressionFault{made.begin, "'" + in.string() + "' is beyond float64"};
    stack.terms.push_back(std::move(made));
  }
};

template <>
struct Action<rules::duration> {
  template <typename Input>
  static void apply(const Input& in, Stack&) {
    throw ExpressionFault{begin_of(in), "'" + in.string() +
                                            "' is no value: numbers have no units, and operations no interval but that "
                                            "of the record"};
  }
};

template <>
struct Action<rules::name> {
  template <typename Input>
  static void apply(const Input& in, Stack& stack) {
    stack.terms.push_back({.kind = Term::Kind::field,
                           .begin = begin_of(in),
                           .end = end_of(in),
                           .name = in.string(),
                           .is_this = in.string_view() == "this"});
  }
};

template <char quote>
struct Action<rules::name_within<quote>> {
  template <typename Input>
  static void apply(const Input& in, Stack& stack) {
    stack.terms.push_back({.kind = Term::Kind::field,
                           .begin = begin_of(in) - 1,
                           .end = begin_of(in) + in.size() + 1,
                           .name = in.string()});
  }
};

template <>
struct Action<rules::callee> {
  template <typename Input>
  static void apply(const Input& in, Stack& stack) {
    const std::string_view name = in.string_view().substr(0, in.string_view().find_first_of(" \t("));
    stack.calls.push_back({std::string(name), begin_of(in), stack.terms.size()});
  }
};

template <>
struct Action<rules::call> {
  template <typename Input>
  static void apply(const Input& in, Stack& stack) {
    const Stack::Call call = std::move(stack.calls.back());
    stack.calls.pop_back();
    stack.terms.push_back(called(call.name, call.begin, end_of(in), stack.taken(call.terms)));
  }
};

// begin: of the first of the last terms, or what stands before it.
template <typename Input>
void apply_operator(const Input& in, Stack& stack, std::string_view name, std::size_t operands) {
  std::vector<Term> of = stack.taken(stack.terms.size() - operands);
  const std::size_t begin = std::min(of.front().begin, begin_of(in));
  stack.terms.push_back(called(name, begin, end_of(in), std::move(of)));
}

template <typename Operand, char... text>
struct Action<rules::binary<Operand, text...>> {
  template <typename Input>
  static void apply(const Input& in, Stack& stack) {
    constexpr std::array name = {text...};
    apply_operator(in, stack, {name.data(), name.size()}, 2);
  }
};

template <typename Operand>
struct Action<rules::unary<Operand, '-'>> {
  template <typename Input>
  static void apply(const Input& in, Stack& stack) {
    apply_operator(in, stack, "-", 1);
  }
};

template <>
struct Action<rules::branches> {
  template <typename Input>
  static void apply(const Input& in, Stack& stack) {
    apply_operator(in, stack, "?", 3);
  }
};

}  // namespace

Term parse_terms(const std::string& text) {
  Stack stack;
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::eager> in(text, "");
  try {
    tao::pegtl::parse<rules::whole, Action, rules::Control>(in, stack);
  } catch (const tao::pegtl::parse_error& fault) {
    throw ExpressionFault{fault.positions().front().byte, std::string(fault.message())};
  }
  return std::move(stack.terms.front());
}

}  // namespace thalweg::config
