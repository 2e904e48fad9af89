#include <gtest/gtest.h>

#include "config/settings.hpp"
#include "error_of.hpp"

namespace thalweg::config {
namespace {

ForcingSettings forcing_of(const std::string& keys) {
  return load_text("forcing:\n  wind:\n    " + keys, "f.yaml").forcing.at("wind");
}

std::string refused(const std::string& keys) {
  return error_of(THALWEG_ERROR_CONFIG, [&] { load_text("forcing:\n  wind:\n    " + keys, "f.yaml"); });
}

TEST(Forcing, has_what_is_said_of_it_and_else_what_is_usual) {
  const ForcingSettings usual = forcing_of("file: /data/wind.nc");
  EXPECT_EQ(usual.file, "/data/wind.nc");
  EXPECT_EQ(usual.interpolation, Interpolation::linear);
  EXPECT_FALSE(usual.has_cycle());
  EXPECT_EQ(usual.outside, Outside::error);
  const ForcingSettings other =
      forcing_of("{file: '/data/wind_%Y.nc', interpolation: step, cycle: 2 years, outside: hold}");
  EXPECT_EQ(other.file, "/data/wind_%Y.nc");
  EXPECT_EQ(other.interpolation, Interpolation::step);
  EXPECT_EQ(other.cycle.months, 24);
  EXPECT_EQ(other.outside, Outside::hold);
  EXPECT_EQ(forcing_of("{file: a.nc, cycle: 10 d}").cycle.seconds, 864000.0);
}

TEST(Forcing, lies_where_the_run_started) {
  const Settings settings = load_text("forcing: {wind: {file: in/wind.nc}}", "f.yaml");
  EXPECT_EQ(settings.forcing.at("wind").file, settings.folder + "/in/wind.nc");
}

TEST(Forcing, is_refused_without_a_file_and_with_what_is_no_cycle) {
  EXPECT_NE(refused("cycle: 1 year").find("forcing 'wind' has no 'file'"), std::string::npos);
  EXPECT_NE(refused("{file: a.nc, cycle: 1 month}").find("'1 month' is no cycle"), std::string::npos);
  EXPECT_NE(refused("{file: a.nc, cycle: 3 steps}").find("'3 steps' is no cycle"), std::string::npos);
  EXPECT_NE(refused("{file: a.nc, interpolate: step}").find("interpolat"), std::string::npos);
}

}  // namespace
}  // namespace thalweg::config
