#include "procedure.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <numeric>
#include <stdexcept>

namespace thalweg_python {
namespace {

std::optional<std::int64_t> if_counted(std::int64_t number) {
  return number < 0 ? std::nullopt : std::optional(number);
}

nb::tuple tuple_of(const std::int64_t* values, int rank) {
  nb::list list;
  for (int d = 0; d < rank; ++d) list.append(values[d]);
  return nb::tuple(list);
}

// The bytes of a block, for an array to look at.
nb::object bytes_of(const thalweg_block& block, const nb::object& dtype) {
  const auto cells = std::accumulate(block.count, block.count + block.rank, std::int64_t{1}, std::multiplies<>());
  const auto bytes = cells * nb::cast<std::int64_t>(dtype.attr("itemsize"));
  auto* data = static_cast<char*>(const_cast<void*>(block.data));
  return nb::steal(PyMemoryView_FromMemory(data, bytes, PyBUF_READ));
}

// Fails if an array still looks at the bytes, because they will soon be those of another record.
void require_alone(const nb::object& bytes) {
  if (Py_REFCNT(bytes.ptr()) > 1)
    throw std::runtime_error("kept the data of a block, which are valid during the call only: keep block.data.copy()");
}

}  // namespace

Block::Block(const thalweg_block& block)
    : event(block.event),
      collection(block.collection),
      file(block.file),
      record(if_counted(block.record)),
      record_in_file(if_counted(block.record_in_file)),
      time_s(block.time_s),
      start(tuple_of(block.start, block.rank)),
      count(tuple_of(block.count, block.rank)),
      shape(tuple_of(block.shape, block.rank)),
      checksum(block.checksum) {
  if (block.variable != nullptr) variable = block.variable;
}

void Procedure::operator()(const thalweg_block& block) {
  const std::unique_lock lock(running_);
  if (is_closed_) throw std::runtime_error("was not called: its session was left before it was finished");
  const nb::gil_scoped_acquire gil;
  try {
    call(block);
  } catch (const nb::python_error& error) {
    const nb::object describe = nb::module_::import_("thalweg.errors").attr("describe");
    throw std::runtime_error(nb::cast<std::string>(describe(error.value())));
  }
}

void Procedure::call(const thalweg_block& block) {
  auto* told = new Block(block);
  const nb::object object = nb::cast(told, nb::rv_policy::take_ownership);
  if (block.event != THALWEG_EVENT_BLOCK) {
    call_(object);
    return;
  }
  const nb::object numpy = nb::module_::import_("numpy");
  const nb::object name = block.type == THALWEG_CHAR ? nb::str("S1") : nb::object(nb::cast(block.type).attr("name"));
  const nb::object dtype = numpy.attr("dtype")(name);
  const nb::object bytes = bytes_of(block, dtype);
  told->data = numpy.attr("ndarray")(told->count, dtype, bytes);
  call_(object);
  told->data = nb::none();
  require_alone(bytes);
}

void Procedure::close() {
  std::unique_lock lock(running_, std::chrono::seconds(1));
  is_closed_ = true;
}

void add_procedure(nb::module_& module) {
  nb::enum_<thalweg_event>(module, "Event", "Why a write procedure is called.")
      .value("BEGIN", THALWEG_EVENT_BEGIN, "A file begins.")
      .value("BLOCK", THALWEG_EVENT_BLOCK, "A block of a variable is complete: write it.")
      .value("RECORD", THALWEG_EVENT_RECORD, "All blocks of the record that this node writes were given.")
      .value("END", THALWEG_EVENT_END, "All of the file that this node writes was given: no more comes.");
  nb::class_<Block>(module, "Block", "What a write procedure is called with.")
      .def_ro("event", &Block::event, "Why it is called; what does not belong to it is None, 0 or ().")
      .def_ro("collection", &Block::collection)
      .def_ro("file", &Block::file, "Its name in the configuration, or from Collection.new_file.")
      .def_ro("variable", &Block::variable, "BLOCK: its name.")
      .def_ro("record", &Block::record, "BLOCK, RECORD: number in the collection; None: of a variable without records.")
      .def_ro("record_in_file", &Block::record_in_file, "BLOCK, RECORD: number in the file; None: as above.")
      .def_ro("time_s", &Block::time_s, "BLOCK, RECORD: model time that closed the record; else 0.")
      .def_ro("start", &Block::start, nb::sig("def start(self) -> tuple[int, ...]"),
              "BLOCK: where in the variable its first element is.")
      .def_ro("count", &Block::count, nb::sig("def count(self) -> tuple[int, ...]"), "BLOCK: extents of data.")
      .def_ro("shape", &Block::shape, nb::sig("def shape(self) -> tuple[int, ...]"),
              "BLOCK: extents of the whole variable.")
      .def_ro("checksum", &Block::checksum,
              "BLOCK: wrapping sum of the bits of the elements that were put (not of holes).")
      .def_ro("data", &Block::data, nb::sig("def data(self) -> numpy.typing.NDArray[typing.Any] | None"),
              "BLOCK: its elements, read-only and without gaps, in the type of the file and the byte order of the "
              "machine; cells that no rank owns hold the fill value. Valid during the call only.");
}

}  // namespace thalweg_python
