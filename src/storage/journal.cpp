#include "storage/journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/little_endian.hpp"
#include "base/system_call.hpp"
#include "storage/first_bytes.hpp"

namespace thalweg::storage {
namespace {

constexpr std::string_view magic = "THWJRNL2";
constexpr std::string_view any_version = "THWJRNL";
constexpr std::size_t identity_place = 40;  // of the file, then of the journal itself: inode, time of birth
constexpr std::size_t checksum_place = 72;
constexpr std::size_t header_bytes = 80;

void append(std::vector<std::byte>& bytes, std::uint64_t value) {
  bytes.resize(bytes.size() + sizeof value);
  put_little_endian(bytes.data() + bytes.size() - sizeof value, value, sizeof value);
}

std::uint64_t number_at(std::span<const std::byte> bytes, std::size_t place) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return std::endian::native == std::endian::little ? value : __builtin_bswap64(value);
}

// Over everything but the checksum itself, in words of 8 bytes, the last one filled up with zeros. Each step is
// invertible, so that no single changed word goes unnoticed; the rotation carries a change into all bits.
std::uint64_t mix(std::uint64_t sum, std::span<const std::byte> bytes) {
  for (std::size_t place = 0; place < bytes.size(); place += 8) {
    std::array<std::byte, 8> word{};
    std::memcpy(word.data(), bytes.data() + place, std::min<std::size_t>(8, bytes.size() - place));
    sum = std::rotl((sum ^ number_at(word, 0)) * 0x9e3779b97f4a7c15ULL, 29);
  }
  return sum;
}

std::uint64_t checksum(std::span<const std::byte> journal) {
  return mix(mix(0xcbf29ce484222325ULL, journal.first(checksum_place)), journal.subspan(header_bytes));
}

void append(std::vector<std::byte>& bytes, const block::FileIdentity& identity) {
  append(bytes, identity.inode);
  append(bytes, static_cast<std::uint64_t>(identity.born_ns));
}

block::FileIdentity identity_in(std::span<const std::byte> bytes, std::size_t place) {
  return {.inode = number_at(bytes, place), .born_ns = static_cast<std::int64_t>(number_at(bytes, place + 8))};
}

bool fits(const block::Transaction& transaction, const std::string& file_path, JournaledFile of) {
  if (!identity_at(file_path)) return false;
  if (of == JournaledFile::of_any_length) return true;
  const std::int64_t bytes = size_of_file(open_file(file_path, O_RDONLY | O_NOFOLLOW), file_path);
  const auto is_within = [bytes](const block::MetadataWrite& write) { return write.end() <= bytes; };
  return transaction.file_bytes <= bytes && std::ranges::all_of(transaction.writes, is_within);
}

// Who copies a file copies its journal too, and then neither is what it was. A journal that is still itself beside
// another file was left there by one that is gone, and one that speaks of a longer file was copied from elsewhere.
void require_own(std::span<const std::byte> journal, const block::Transaction& transaction, const Descriptor& opened,
                 const std::string& path, const std::string& file_path, JournaledFile of) {
  const block::FileIdentity wanted = identity_in(journal, identity_place);
  const auto found = identity_at(file_path);
  const bool is_own = found && found->is_same_inode(wanted);
  const bool is_copy = !identity_of(opened, path).is_same_inode(identity_in(journal, identity_place + 16));
  if (is_own || (is_copy && fits(transaction, file_path, of))) return;
  fail(THALWEG_ERROR_FORMAT,
       "'{}' is the journal of another file than '{}' (inode {}, not {}); nothing was changed. If '{}' is what is "
       "wanted, remove the journal",
       path, file_path, wanted.inode, found ? std::to_string(found->inode) : "none", file_path);
}

std::vector<std::byte> encode(const block::Transaction& transaction, const block::FileIdentity& of,
                              const block::FileIdentity& own, std::uint64_t sequence) {
  std::vector<std::byte> bytes;
  for (const char letter : magic) bytes.push_back(static_cast<std::byte>(letter));
  append(bytes, sequence);
  append(bytes, transaction.writes.size());
  append(bytes, static_cast<std::uint64_t>(transaction.file_bytes));
  append(bytes, static_cast<std::uint64_t>(transaction.records));
  append(bytes, of);
  append(bytes, own);
  append(bytes, std::uint64_t{0});
  for (const block::MetadataWrite& write : transaction.writes) {
    append(bytes, static_cast<std::uint64_t>(write.offset));
    append(bytes, write.bytes.size());
    bytes.insert(bytes.end(), write.bytes.begin(), write.bytes.end());
  }
  put_little_endian(bytes.data() + checksum_place, checksum(bytes), sizeof(std::uint64_t));
  return bytes;
}

// The writes of a journal and its length (what an earlier, longer transaction left behind it does not count); nothing
// if they do not fit into the bytes there are.
std::optional<std::size_t> decode_writes(std::span<const std::byte> bytes, block::Transaction& transaction) {
  std::size_t place = header_bytes;
  for (std::uint64_t left = number_at(bytes, 16); left > 0; --left) {
    if (bytes.size() - place < 16) return std::nullopt;
    const std::uint64_t length = number_at(bytes, place + 8);
    if (length > bytes.size() - place - 16) return std::nullopt;
    const auto data = bytes.subspan(place + 16, length);
    transaction.writes.push_back({static_cast<std::int64_t>(number_at(bytes, place)), {data.begin(), data.end()}});
    place += 16 + length;
  }
  return place;
}

}  // namespace

std::string journal_path(const std::string& file_path) {
  return file_path + ".journal";
}

void apply_left_journal(const std::string& file_path, JournaledFile of) {
  const auto transaction = take_journal(file_path, of);
  if (!transaction) return;
  Mover mover(file_path, config::DirectIo::off, counts_of_headers());
  apply(mover, *transaction, nullptr, true);
}

namespace {

// A kill may leave the beginning of one, and a machine that stops zeros.
bool may_be_journal(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const FirstBytes begin = first_bytes(open_file(path, O_RDONLY | O_NOFOLLOW), path);
  const auto found = std::span(begin.bytes).first(static_cast<std::size_t>(begin.count));
  const std::size_t compared = std::min(found.size(), any_version.size());
  return std::memcmp(found.data(), any_version.data(), compared) == 0 ||
         std::ranges::all_of(found, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

// What an earlier file of the name left behind was removed when this one was made.
void Journal::write(const block::Transaction& transaction, const block::FileIdentity& of, bool durable) {
  const bool is_new = !file_;
  if (is_new) {
    file_ = open_file(path_, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY);
    own_ = identity_of(file_, path_);
  }
  write_all(file_, path_, 0, encode(transaction, of, own_, ++sequence_));
  if (!durable) return;
  sync_data(file_, path_);
  if (is_new) sync_folder_of(path_);
}

void Journal::remove() {
  file_.close();
  if (::unlink(path_.c_str()) != 0 && errno != ENOENT) fail_storage(fmt::format("delete '{}'", path_), errno);
}

void apply(Mover& mover, const block::Transaction& transaction, Journal* journal, bool durable) {
  if (durable) mover.sync();
  const bool journaled = transaction.journaled && journal != nullptr;
  if (journaled) journal->write(transaction, mover.identity(), durable);
  if (transaction.file_bytes >= 0) mover.resize(transaction.file_bytes);
  for (const block::MetadataWrite& write : transaction.writes) mover.write_bytes(write.offset, write.bytes);
  if (durable && !journaled) mover.sync();
  if (transaction.applied) transaction.applied->store(true, std::memory_order_release);
}

std::optional<FoundJournal> find_journal(const std::string& file_path, JournaledFile of) {
  const std::string path = journal_path(file_path);
  if (!identity_at(path)) return std::nullopt;
  const Descriptor file = open_file(path, O_RDONLY | O_NOFOLLOW);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size_of_file(file, path)));
  bytes.resize(static_cast<std::size_t>(read_all(file, path, 0, bytes)));
  if (bytes.size() < header_bytes || std::memcmp(bytes.data(), any_version.data(), any_version.size()) != 0)
    return std::nullopt;
  if (std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
    fail(THALWEG_ERROR_FORMAT,
         "'{}' is a journal of another version of Thalweg (\"{}\", not \"{}\"); recover the file with that version",
         path, std::string(reinterpret_cast<const char*>(bytes.data()), magic.size()), magic);
  block::Transaction transaction{.records = static_cast<std::int64_t>(number_at(bytes, 32)),
                                 .file_bytes = static_cast<std::int64_t>(number_at(bytes, 24)),
                                 .journaled = true};
  const std::optional<std::size_t> length = decode_writes(bytes, transaction);
  if (!length || checksum(std::span(bytes).first(*length)) != number_at(bytes, checksum_place)) return std::nullopt;
  require_own(bytes, transaction, file, path, file_path, of);
  return FoundJournal{number_at(bytes, 8), std::move(transaction)};
}

std::optional<block::Transaction> read_journal(const std::string& file_path, JournaledFile of) {
  auto found = find_journal(file_path, of);
  return found ? std::optional(std::move(found->transaction)) : std::nullopt;
}

std::optional<block::Transaction> take_journal(const std::string& file_path, JournaledFile of) {
  std::optional<block::Transaction> transaction = read_journal(file_path, of);
  if (transaction) open_file(journal_path(file_path), O_RDWR | O_NOFOLLOW);
  return transaction;
}

void remove_journal(const std::string& file_path) {
  Journal(file_path).remove();
}

void remove_left_journal(const std::string& file_path) {
  const std::string path = journal_path(file_path);
  if (!identity_at(path)) return;
  if (!may_be_journal(path))
    fail(THALWEG_ERROR_STORAGE, "'{}' has the name of the journal of '{}', and is none; move it away, or change 'file'",
         path, file_path);
  remove_journal(file_path);
}

}  // namespace thalweg::storage
