#include "session/commands.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <tuple>

#include "base/error.hpp"

namespace thalweg::session::commands {
namespace {

transport::Bytes pack(const Command& command) {
  return transport::pack(command);
}
Command unpack(const transport::Bytes& bytes) {
  return transport::unpack<Command>(bytes);
}

template <typename Kind>
Kind back(const Kind& command) {
  return std::get<Kind>(unpack(pack(command)));
}

TEST(Commands, keep_every_member_on_their_way) {
  const Decompose decompose = back(Decompose{{"y", "x"}, {5, 7}, {1, 0}, {2, 3}, true});
  EXPECT_EQ(decompose.dimensions, (std::vector<std::string>{"y", "x"}));
  EXPECT_EQ(decompose.shape, (Index{5, 7}));
  EXPECT_EQ(decompose.halo_low, (Index{1, 0}));
  EXPECT_EQ(decompose.halo_high, (Index{2, 3}));
  EXPECT_TRUE(decompose.masked);
  const DefineVariable variable = back(DefineVariable{3, "temp", "time,y,x", Type::int16, 1, "x,y"});
  EXPECT_EQ(variable.collection, 3);
  EXPECT_EQ(variable.name, "temp");
  EXPECT_EQ(variable.dims, "time,y,x");
  EXPECT_EQ(variable.type, Type::int16);
  EXPECT_EQ(variable.decomposition, 1);
  EXPECT_EQ(variable.memory_dims, "x,y");
  const std::vector<std::byte> values{std::byte{1}, std::byte{0}, std::byte{255}};
  const DefineAttribute numbers = back(DefineAttribute{1, "", {"valid", Type::int8, "", values}});
  EXPECT_EQ(numbers.attribute.name, "valid");
  EXPECT_EQ(numbers.attribute.type, Type::int8);
  EXPECT_EQ(numbers.attribute.values, values);
  const DefineAttribute text = back(DefineAttribute{1, "temp", {"units", std::nullopt, "degC", {}}});
  EXPECT_EQ(text.variable, "temp");
  EXPECT_FALSE(text.attribute.type.has_value());
  EXPECT_EQ(text.attribute.text, "degC");
  const ChangeAttribute change = back(ChangeAttribute{{2, "time", {"units", std::nullopt, "days", {}}}});
  EXPECT_EQ(change.collection, 2);
  EXPECT_EQ(change.variable, "time");
  EXPECT_EQ(change.attribute.text, "days");
  EXPECT_EQ(back(Advance{86400.5}).time_s, 86400.5);
  EXPECT_EQ(back(Record{2, 60.5}).collection, 2);
  EXPECT_EQ(back(Record{2, 60.5}).time_s, 60.5);
  EXPECT_EQ(back(NewFile{2, "b.nc"}).name, "b.nc");
  EXPECT_EQ(back(DecomposePoints{{"lat", "lon"}, {6, std::int64_t{1} << 40}, true}).sizes,
            (Index{6, std::int64_t{1} << 40}));
  const std::vector<geometry::Selection> selections = {geometry::Selection({{3, 2, 4}}),
                                                       geometry::Selection({{9, 1, 2}, {0, 1, 5}})};
  const Select select = back(selected(2, {"y", "x"}, selections));
  EXPECT_EQ(select.decomposition, 2);
  EXPECT_EQ(select.dimensions, (std::vector<std::string>{"y", "x"}));
  EXPECT_EQ(selections_of(select), selections);
  EXPECT_EQ(back(Ready{true, 77}).kept_bytes, 77);
  GoTo go_to = back(GoTo{2, 1.5, 3.5, 3.25, 7});
  EXPECT_EQ(go_to.members(), std::tuple(2, 1.5, 3.5, 3.25, std::int64_t{7}));
  EXPECT_EQ(back(Abandon{"why"}).text, "why");
}

TEST(Commands, without_members_are_told_apart) {
  for (const bool maps : {true, false}) EXPECT_EQ(std::get<Ready>(unpack(pack(Ready{maps}))).maps_at_once, maps);
  EXPECT_TRUE(std::holds_alternative<Flush>(unpack(pack(Flush{}))));
  EXPECT_TRUE(std::holds_alternative<Wait>(unpack(pack(Wait{}))));
  EXPECT_TRUE(std::holds_alternative<Finish>(unpack(pack(Finish{}))));
}

thalweg_status code_of(const transport::Bytes& bytes) {
  try {
    unpack(bytes);
  } catch (const Error& error) {
    return error.code();
  }
  return THALWEG_OK;
}

TEST(Commands, that_are_cut_short_too_long_or_unknown_are_refused) {
  const transport::Bytes whole = pack(DefineVariable{3, "temp", "time,y,x", Type::int16, 1, "x,y"});
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    EXPECT_EQ(code_of({whole.begin(), whole.begin() + static_cast<long>(bytes)}), THALWEG_ERROR_AGREEMENT) << bytes;
  transport::Bytes longer = whole;
  longer.push_back(std::byte{0});
  EXPECT_EQ(code_of(longer), THALWEG_ERROR_AGREEMENT);
  EXPECT_EQ(code_of(transport::Packer().put(std::size_t{99}).take()), THALWEG_ERROR_AGREEMENT);
  EXPECT_EQ(code_of(whole), THALWEG_OK);
}

TEST(Commands, with_lengths_that_no_message_has_are_refused) {
  const transport::Bytes names = pack(Decompose{{"y", "x"}, {5, 7}, {1, 0}, {2, 3}, true});
  for (const std::int64_t count : {std::int64_t{-1}, std::int64_t{1} << 40, std::int64_t{1} << 61}) {
    transport::Bytes bytes = names;
    std::memcpy(bytes.data() + sizeof(std::size_t), &count, sizeof count);  // of the names
    EXPECT_EQ(code_of(bytes), THALWEG_ERROR_AGREEMENT) << count;
  }
}

}  // namespace
}  // namespace thalweg::session::commands
