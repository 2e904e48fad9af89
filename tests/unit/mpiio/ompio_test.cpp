#include "mpiio/ompio.hpp"

#include <gtest/gtest.h>

namespace thalweg::mpiio {
namespace {

TEST(Ompio, versions_with_faults_are_known) {
  EXPECT_TRUE(has_faulty_ompio("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4"));
  EXPECT_TRUE(has_faulty_ompio("Open MPI v5.0.5, package: x"));
}

TEST(Ompio, other_libraries_are_left_alone) {
  for (const char* version : {"Open MPI v4.0.7, package: x", "Open MPI v6.0.0, package: x", "MPICH Version:\t4.0.2",
                              "Intel(R) MPI Library 2021.10", ""})
    EXPECT_FALSE(has_faulty_ompio(version)) << version;
}

}  // namespace
}  // namespace thalweg::mpiio
