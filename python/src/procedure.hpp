// A Python callable as the write procedure of a collection of format "user".
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thalweg.hpp>

namespace thalweg_python {

namespace nb = nanobind;

// What the callable is given: a thalweg_block whose texts and numbers are copies, and whose data are not.
struct Block {
  explicit Block(const thalweg_block& block);

  thalweg_event event;
  std::string collection;
  std::string file;
  std::optional<std::string> variable;
  std::optional<std::int64_t> record;
  std::optional<std::int64_t> record_in_file;
  double time_s;
  nb::tuple start;
  nb::tuple count;
  nb::tuple shape;
  std::uint64_t checksum;
  nb::object data = nb::none();
};

class Procedure {
 public:
  // Called with the GIL.
  explicit Procedure(nb::callable call) : call_(std::move(call)) {}

  // Called by the writer, on any thread that does not hold the GIL. What the callable raises is thrown as its text.
  void operator()(const thalweg_block& block);

  // It fails from now on, and does not touch Python. Waits a second for a call that goes on. Called without the GIL.
  void close();

 private:
  void call(const thalweg_block& block);

  std::timed_mutex running_;
  std::atomic<bool> is_closed_ = false;
  nb::callable call_;
};

void add_procedure(nb::module_& module);

}  // namespace thalweg_python
