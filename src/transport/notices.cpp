#include "transport/notices.hpp"

namespace thalweg::transport {
namespace {

Bytes packed(const Notice& notice) {
  Packer packer;
  packer.put(notice.kind).put(notice.collection).put(notice.number).put(notice.code);
  return packer.put_all(notice.offsets).put_all(notice.text).take();
}

Notice unpacked_notice(const Bytes& bytes) {
  Unpacker unpacker(bytes);
  Notice notice;
  notice.kind = unpacker.get<NoticeKind>();
  notice.collection = unpacker.get<std::int32_t>();
  notice.number = unpacker.get<std::int64_t>();
  notice.code = unpacker.get<std::int32_t>();
  notice.offsets = unpacker.get_all<std::vector<std::int64_t>>();
  notice.text = unpacker.get_all<std::string>();
  return notice;
}

}  // namespace

void Notices::send(int rank, const Notice& notice) {
  messenger_->send(rank, packed(notice));
}

std::optional<Notice> Notices::receive() {
  const std::optional<Bytes> bytes = messenger_->receive();
  return bytes ? std::optional(unpacked_notice(*bytes)) : std::nullopt;
}

}  // namespace thalweg::transport
