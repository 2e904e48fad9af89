#include "base/processors.hpp"

#include <pthread.h>
#include <sched.h>

#include <cstddef>

namespace thalweg {

std::vector<int> own_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> processors;
  for (std::size_t processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &set)) processors.push_back(static_cast<int>(processor));
  return processors;
}

void use_processors(const std::vector<int>& processors) {
  if (processors.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) CPU_SET(static_cast<std::size_t>(processor), &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

}  // namespace thalweg
