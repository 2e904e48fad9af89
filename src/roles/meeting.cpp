#include "roles/meeting.hpp"

#include <cstring>
#include <numeric>

#include "roles/counted_call.hpp"

namespace thalweg::roles {
namespace {

struct Step {
  std::vector<std::byte> values;
  std::vector<std::byte> gathered;
  std::vector<int> lengths;
  std::vector<int> offsets;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;

  bool is_done() {
    int finished = 0;
    MPI_Test(&request, &finished, MPI_STATUS_IGNORE);
    return finished != 0;
  }
};

std::unique_ptr<Step> step_with(const void* values, std::size_t bytes) {
  auto step = std::make_unique<Step>();
  const auto* first = static_cast<const std::byte*>(values);
  step->values.assign(first, first + bytes);
  return step;
}

constexpr std::size_t line_bytes = 4096;

int lines_of(std::int64_t bytes) {
  constexpr auto line = static_cast<std::int64_t>(line_bytes);
  return count_of((bytes + line - 1) / line, "lines of text");
}

std::vector<int> ints_of(const std::vector<std::byte>& bytes) {
  std::vector<int> values(bytes.size() / sizeof(int));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

void barrier(const Circle& circle) {
  auto step = std::make_unique<Step>();
  barrier_counted(circle, &step->request);
  meet(circle, step);
}

void reduce_bytes(const Circle& circle, std::byte* values, std::size_t bytes, int count, MPI_Datatype type, MPI_Op op) {
  if (count == 0) return;
  auto step = step_with(values, bytes);
  step->gathered.resize(bytes);
  collective_counted(MPI_Iallreduce, step->values.data(), step->gathered.data(), count, type, op, circle,
                     &step->request);
  meet(circle, step);
  std::memcpy(values, step->gathered.data(), bytes);
}

std::int64_t sum_up_to(const Circle& circle, std::int64_t value) {
  auto step = step_with(&value, sizeof value);
  step->gathered.resize(sizeof value);
  collective_counted(MPI_Iscan, step->values.data(), step->gathered.data(), 1, MPI_INT64_T, MPI_SUM, circle,
                     &step->request);
  meet(circle, step);
  std::memcpy(&value, step->gathered.data(), sizeof value);
  return value;
}

void broadcast_bytes(const Circle& circle, int root, std::span<std::byte> bytes, std::size_t most_bytes) {
  in_parts(bytes.size(), most_bytes, [&](std::size_t first, int count) {
    const auto part = bytes.subspan(first, static_cast<std::size_t>(count));
    auto step = step_with(part.data(), part.size());
    collective_counted(MPI_Ibcast, step->values.data(), count, MPI_BYTE, root, circle, &step->request);
    meet(circle, step);
    std::memcpy(part.data(), step->values.data(), part.size());
  });
}

std::vector<int> gather_to_all(const Circle& circle, int value) {
  auto step = step_with(&value, sizeof value);
  step->gathered.resize(sizeof value * static_cast<std::size_t>(circle.size()));
  collective_counted(MPI_Iallgather, step->values.data(), 1, MPI_INT, step->gathered.data(), 1, MPI_INT, circle,
                     &step->request);
  meet(circle, step);
  return ints_of(step->gathered);
}

std::vector<std::int64_t> gather_at_first(const Circle& circle, std::int64_t value) {
  auto step = step_with(&value, sizeof value);
  if (circle.rank() == 0) step->gathered.resize(sizeof value * static_cast<std::size_t>(circle.size()));
  collective_counted(MPI_Igather, step->values.data(), 1, MPI_INT64_T, step->gathered.data(), 1, MPI_INT64_T, 0, circle,
                     &step->request);
  meet(circle, step);
  std::vector<std::int64_t> values(step->gathered.size() / sizeof value);
  if (!values.empty()) std::memcpy(values.data(), step->gathered.data(), step->gathered.size());
  return values;
}

// The texts of all are counted in lines of one length, because together they may have more letters than MPI counts.
std::string gather_at_first(const Circle& circle, const std::string& text, const std::vector<std::int64_t>& lengths) {
  auto step = step_with(text.data(), text.size());
  const int own_lines = lines_of(std::ssize(text));
  step->values.resize(static_cast<std::size_t>(own_lines) * line_bytes);
  for (const std::int64_t length : lengths) step->lengths.push_back(lines_of(length));
  step->offsets.resize(lengths.size());
  std::exclusive_scan(step->lengths.begin(), step->lengths.end(), step->offsets.begin(), 0);
  if (!lengths.empty())
    step->gathered.resize(static_cast<std::size_t>(step->offsets.back() + step->lengths.back()) * line_bytes);
  MPI_Datatype line = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(line_bytes), MPI_BYTE, &line);
  MPI_Type_commit(&line);
  collective_counted(MPI_Igatherv, step->values.data(), own_lines, line, step->gathered.data(), step->lengths.data(),
                     step->offsets.data(), line, 0, circle, &step->request);
  MPI_Type_free(&line);  // the step that is under way keeps it
  meet(circle, step);
  std::string all;
  for (std::size_t r = 0; r < lengths.size(); ++r)
    all.append(
        reinterpret_cast<const char*>(step->gathered.data()) + static_cast<std::size_t>(step->offsets[r]) * line_bytes,
        static_cast<std::size_t>(lengths[r]));
  return all;
}

namespace {

// Behind this a call blocks, so nobody goes there whom the others do not wait for any more.
void meet_to_make(const Circle& circle) {
  barrier(circle);
  circle.require_unexpired();
}

}  // namespace

MPI_Comm split(const Circle& circle, int color, int key) {
  meet_to_make(circle);
  MPI_Comm made = MPI_COMM_NULL;
  collective_counted(MPI_Comm_split, circle, color, key, &made);
  return made;
}

MPI_Comm split_by_memory(const Circle& circle, int key) {
  meet_to_make(circle);
  MPI_Comm made = MPI_COMM_NULL;
  collective_counted(MPI_Comm_split_type, circle, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &made);
  return made;
}

MPI_Comm duplicate(const Circle& circle) {
  auto step = std::make_unique<Step>();
  collective_counted(MPI_Comm_idup, circle, &step->made, &step->request);
  meet(circle, step);
  return step->made;
}

}  // namespace thalweg::roles
