#include "transport/notices.hpp"

namespace thalweg::transport {
namespace {

Bytes packed(const Notice& notice) {
  Packer packer;
  packer.put(notice.kind).put(notice.collection).put(notice.number).put(notice.code);
  packer.put(static_cast<std::int64_t>(notice.offsets.size())).put(static_cast<std::int64_t>(notice.text.size()));
  for (std::int64_t offset : notice.offsets) packer.put(offset);
  for (char c : notice.text) packer.put(c);
  return packer.take();
}

Notice unpacked(const Bytes& bytes) {
  Unpacker unpacker(bytes);
  Notice notice;
  notice.kind = unpacker.get<NoticeKind>();
  notice.collection = unpacker.get<std::int32_t>();
  notice.number = unpacker.get<std::int64_t>();
  notice.code = unpacker.get<std::int32_t>();
  notice.offsets.resize(static_cast<std::size_t>(unpacker.get<std::int64_t>()));
  notice.text.resize(static_cast<std::size_t>(unpacker.get<std::int64_t>()));
  for (std::int64_t& offset : notice.offsets) offset = unpacker.get<std::int64_t>();
  for (char& c : notice.text) c = unpacker.get<char>();
  return notice;
}

}  // namespace

void Notices::send(int rank, const Notice& notice) {
  Sent& sent = sent_.emplace_back(Sent{packed(notice), MPI_REQUEST_NULL});
  MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE, rank, tag, comm_, &sent.request);
}

std::optional<Notice> Notices::receive() {
  int arrived = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &arrived, &status);
  if (arrived == 0) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Bytes bytes(static_cast<std::size_t>(size));
  MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, tag, comm_, MPI_STATUS_IGNORE);
  return unpacked(bytes);
}

bool Notices::is_idle() {
  sent_.remove_if([](Sent& sent) {
    int finished = 0;
    MPI_Test(&sent.request, &finished, MPI_STATUS_IGNORE);
    return finished != 0;
  });
  return sent_.empty();
}

}  // namespace thalweg::transport
