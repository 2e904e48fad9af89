// CollectionWriter: the end of files, and of the sets that they are parts of.
#include "writer/collection_writer.hpp"

namespace thalweg::writer {

bool CollectionWriter::may_close(const OpenedFile& file) const {
  const std::int64_t number = file.order.file;
  if (!has_all_records(number) || !has_all_fixed(file) || !file.commits.empty()) return false;
  const auto others = others_closed_.find(number);
  return !plan_.owns_files || (others == others_closed_.end() ? 0 : others->second) >= plan_.other_writers;
}

void CollectionWriter::close_parts(OpenedFile& file) {
  const std::int64_t number = file.order.file;
  const auto close = closes_.find(number);
  for (std::size_t part = 0; part < file.parts.size(); ++part) {
    if (plan_.owns_files) {
      const store::Transaction& last = close->second.transactions[part];
      if (!file.parts[part]->close(last, take_checksums(file, part, last.records))) file.spares_complete = true;
    } else {
      file.parts[part]->close();
    }
    file.parts[part]->add_counts(counters_);
  }
  closes_.erase(close);
  file.parts_closed = true;
  if (!plan_.owns_files)
    book_.tell(store::FileWritten{number_, number, take_sums(number, store::fixed_record)});
  else if (file.order.tells_home)
    book_.tell(store::FileWritten{number_, number, {}});
}

// False: not all parts have their names yet.
bool CollectionWriter::end_set(const OpenedFile& file) {
  if (!file.order.set) return true;
  if (others_closed_[file.order.file] < file.order.set_writers_elsewhere) return false;
  const auto call = access_.call(staging::WriterActivity::publish);
  if (file.spares_complete)
    file.order.set->discard();
  else
    file.order.set->publish();
  return true;
}

bool CollectionWriter::close_if_complete(OpenedFile& file) {
  if (!file.parts_closed) {
    if (!may_close(file) || tells_sums(file)) return false;
    close_parts(file);
  }
  if (!end_set(file)) return false;
  others_closed_.erase(file.order.file);
  ++counters_.files;
  plan_.record_ring.progress().files.fetch_add(1, std::memory_order_release);
  control_.tell_news();
  return true;
}

}  // namespace thalweg::writer
