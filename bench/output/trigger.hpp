// Two named pipes between rank 0 and the independent writer: one byte for each record that may be written, and one
// back when all are written. Both sides sleep in the kernel while they wait.
#pragma once

#include <string>

namespace bench {

class Pipe {
 public:
  Pipe(const std::string& path, bool write);  // waits until the other side has opened it too
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void send();
  bool receive();  // false: the other side has closed it
  void close();

 private:
  int descriptor_;
};

// Rank 0's side.
class Trigger {
 public:
  explicit Trigger(const std::string& fifo) : records_(fifo + ".records", true), written_(fifo + ".written", false) {}
  void record_is_ready() { records_.send(); }
  void wait_until_written();

 private:
  Pipe records_, written_;
};

// The independent writer: for each trigger, writes bytes_per_record from memory of its own. Appends what it took
// from the processor to result, as JSON.
void run_writer(const std::string& fifo, const std::string& file, long long bytes_per_record,
                const std::string& result);

}  // namespace bench
