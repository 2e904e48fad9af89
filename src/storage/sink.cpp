#include "storage/sink.hpp"

#include "storage/callback_sink.hpp"
#include "storage/file_sink.hpp"
#include "storage/object_sink.hpp"

namespace thalweg::storage {

std::unique_ptr<Sink> open_sink(const block::FileNames& names, const block::CollectionPlan& plan,
                                StorageAccess& access) {
  if (plan.files.callback) return std::make_unique<CallbackSink>(names.path, plan, access);
  if (plan.files.objects) return std::make_unique<ObjectSink>(names.partial_path, plan, access);
  return std::make_unique<FileSink>(names.partial_path, plan, access);
}

}  // namespace thalweg::storage
