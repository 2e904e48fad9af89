#include "trigger.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "check.hpp"
#include "clock.hpp"
#include "direct_file.hpp"

namespace bench {

Pipe::Pipe(const std::string& path, bool write)
    : descriptor_(open(path.c_str(), (write ? O_WRONLY : O_RDONLY) | O_CLOEXEC)) {
  check_system(descriptor_ >= 0, "open " + path);
}

Pipe::~Pipe() {
  close();
}

void Pipe::send() {
  const char token = 1;
  check_system(::write(descriptor_, &token, 1) == 1, "write to a pipe");
}

bool Pipe::receive() {
  char token = 0;
  const ssize_t got = ::read(descriptor_, &token, 1);
  check_system(got >= 0, "read from a pipe");
  return got == 1;
}

void Pipe::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void Trigger::wait_until_written() {
  records_.close();
  if (!written_.receive()) throw std::runtime_error("the independent writer ended before everything was written");
}

void run_writer(const std::string& fifo, const std::string& file, long long bytes_per_record,
                const std::string& result) {
  constexpr std::int64_t step_bytes = 16 << 20;
  const std::int64_t record_bytes = align_up(bytes_per_record);
  const AlignedBuffer buffer(record_bytes);
  DirectFile output(file, true);
  Pipe records(fifo + ".records", false), written(fifo + ".written", true);
  const double cpu_before_s = process_cpu_s();
  for (std::int64_t base = 0; records.receive(); base += record_bytes) {
    for (std::int64_t at = 0; at < record_bytes; at += step_bytes) {
      output.write(buffer.data() + at, std::min(step_bytes, record_bytes - at), base + at);
    }
  }
  const double cpu_s = process_cpu_s() - cpu_before_s;
  written.send();
  std::ofstream(result) << "{\"cpu_s\": " << cpu_s << "}\n";
}

}  // namespace bench
