// A coupled run: the ranks of MPI_COMM_WORLD are shared out to components, each of which has a communicator, and a
// session of its own with it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

namespace conform {

// The component of this rank.
struct Component {
  // counts: ranks of each; dealt: given out in turn, and not one component after the other.
  Component(const std::vector<std::string>& counts, bool dealt) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<int> left;
    for (const std::string& count : counts) left.push_back(std::stoi(count));
    firsts.assign(left.size(), -1);
    std::size_t next = 0;
    for (int r = 0; r < ranks; ++r) {
      while (left[next] == 0) next = (next + 1) % left.size();
      --left[next];
      if (firsts[next] < 0) firsts[next] = r;
      if (r == rank) number = next;
      if (dealt) next = (next + 1) % left.size();
    }
    MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(number), rank, &comm);
  }
  ~Component() { MPI_Comm_free(&comm); }
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  // All that compute wait for each other: the first ranks of components exchange a number, as a coupler would fields.
  // model: those of this one that compute, its first rank among them.
  void meet_others(MPI_Comm model) const {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (const int other : firsts) {
      if (rank != firsts[number] || other == rank) continue;
      int received = -1;
      MPI_Sendrecv(&rank, 1, MPI_INT, other, 0, &received, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (received != other) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(model);
  }

  std::size_t number = 0;
  MPI_Comm comm = MPI_COMM_NULL;

 private:
  std::vector<int> firsts;  // first rank of each in MPI_COMM_WORLD
};

}  // namespace conform
