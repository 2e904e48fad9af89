// Several runs of a program in one start of MPI, which takes longer than most of them:  PROGRAM @FILE
// A line of FILE is a run: its folder and its words, between tabs. All ranks make it in that folder, and when all have
// come to its end, FILE.done gets a line with the folder. So the first run without such a line is the one that ended
// the program, whatever way that was (tests/support/batch.py starts those after it again). PROGRAM @@FOLDER makes runs
// that are told while it lives (standing.hpp).
#pragma once

#include <mpi.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "standing.hpp"

namespace batch {

using Words = std::vector<std::string>;

inline Words split(const std::string& text, char separator = ',') {
  Words parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

inline void tell(const std::string& file, const std::string& folder) {
  MPI_Barrier(MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::ofstream(file, std::ios::app) << folder << std::endl;
}

// Calls run(words) with the words of the command line, or with those of each line of the file that it names. Returns
// whether there was such a file.
template <typename Run>
bool each(int argc, char** argv, const Run& run) {
  const Words words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0].rfind("@@", 0) == 0) {
    standing::each(words[0].substr(2), run);
    return true;
  }
  if (words.size() != 1 || words[0].rfind('@', 0) != 0) {
    run(words);
    return false;
  }
  const std::string file = std::filesystem::absolute(words[0].substr(1)).string();
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const Words of_run = split(line, '\t');
    std::filesystem::current_path(of_run.at(0));
    run(Words(of_run.begin() + 1, of_run.end()));
    tell(file + ".done", of_run.at(0));
  }
  return true;
}

}  // namespace batch
