// Runs that are told one after the other over a socket, so that one start of MPI serves a whole file of tests
// (tests/support/standing.py):  PROGRAM @@FOLDER
// FOLDER/door is the socket. A line is a run: the seconds that it may take, its folder and its words, between tabs;
// standard output and error of each rank go to files of their own in FOLDER. At the end of a run each rank answers '+'.
#pragma once

#include <fcntl.h>
#include <mpi.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace standing {

inline int enter(const std::string& folder) {
  sockaddr_un place{};
  place.sun_family = AF_UNIX;
  std::strncpy(place.sun_path, (folder + "/door").c_str(), sizeof place.sun_path - 1);
  const int runner = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (runner < 0 || connect(runner, reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0) {
    std::perror("standing: no runner");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return runner;
}

// The words of the next run, or none if there is no further one.
inline std::vector<std::string> next_run(int runner) {
  std::vector<std::string> words(1);
  for (char letter = 0; read(runner, &letter, 1) == 1;) {
    if (letter == '\n') return words;
    if (letter == '\t') {
      words.emplace_back();
    } else {
      words.back().push_back(letter);
    }
  }
  return {};
}

inline void redirect(const std::string& folder, int rank) {
  const std::string number = std::to_string(1000 + rank).substr(1);
  for (const auto& [descriptor, name] : {std::pair{1, "stdout"}, std::pair{2, "stderr"}}) {
    const std::string path = folder + "/" + name + "." + number;
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    dup2(file, descriptor);
    close(file);
  }
}

template <typename Run>
void each(const std::string& folder, const Run& run) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int runner = enter(folder);
  for (std::vector<std::string> words; !(words = next_run(runner)).empty();) {
    redirect(folder, rank);
    alarm(static_cast<unsigned>(std::stoul(words.at(0))));  // the runner may have been killed
    std::filesystem::current_path(words.at(1));
    run(std::vector<std::string>(words.begin() + 2, words.end()));
    alarm(0);
    std::fflush(nullptr);
    if (send(runner, "+", 1, MSG_NOSIGNAL) != 1) break;
  }
  close(runner);
}

}  // namespace standing
