#include "loading.hpp"

namespace thalweg::config {
namespace {

class ReadFiles : public CleanEnvironment {};

TEST_F(ReadFiles, are_replaced_by_no_collection) {
  const std::string chosen = "every: 1 h, fields: [t], grid: {weights: ";
  const std::string of_time = "time-step: 1 h\ncollections:\n";
  EXPECT_EQ(fault(of_time + "  w: {" + chosen + "./w.nc}}\n"),
            "ocean.yaml:3:3: error: file: 'w.nc' is the file that 'grid' of the collection 'w' reads");
  EXPECT_EQ(fault(of_time + "  a: {file: x.nc}\n  b: {" + chosen + "x.nc}}\n"),
            "ocean.yaml:3:13: error: file: 'x.nc' is the file that 'grid' of the collection 'b' reads");
  EXPECT_EQ(fault("forcing: {wind: {file: x.nc}}\ncollections: {a: {file: x.nc}}\n"),
            "ocean.yaml:2:25: error: file: 'x.nc' is the file that forcing 'wind' reads");
  EXPECT_EQ(fault(of_time + "  w: {" + chosen + "in/w.nc}}\n"), "none");
}

}  // namespace
}  // namespace thalweg::config
