// The journal: metadata that several writes change at once are first written beside the file, as one piece with a
// checksum. A process killed before that is complete leaves the state before, one killed later the state after, because
// recovery writes the piece again. docs/formats/journal.md describes the file byte by byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "block/transaction.hpp"
#include "storage/file_identity.hpp"
#include "storage/mover.hpp"
#include "storage/posix.hpp"

namespace thalweg::storage {

std::string journal_path(const std::string& file_path);  // "<file_path>.journal"

// The journal of one file that grows, owned by whoever applies its transactions.
class Journal {
 public:
  explicit Journal(const std::string& file_path) : path_(journal_path(file_path)) {}

  // Replaces what the journal holds; durable: returns when it is on stable storage. The first one creates the journal,
  // which must not exist. of: the file that is written; recovery applies the journal to no other.
  void write(const block::Transaction& transaction, const block::FileIdentity& of, bool durable);

  // To be called when the file is complete and has its name: a kill in between leaves a journal without a file.
  void remove();

 private:
  std::string path_;
  Descriptor file_;
  block::FileIdentity own_;
  std::uint64_t sequence_ = 0;
};

// Applies a transaction to the file of the mover, by way of the journal if it wants that. durable: data and metadata
// written so far are on stable storage when it returns, or are restored from the journal there. journal may be nullptr
// for formats that do not use one.
void apply(Mover& mover, const block::Transaction& transaction, Journal* journal, bool durable);

// Whether a file is as long as its journal says before that is written, or may be shorter.
enum class JournaledFile { of_any_length, lengthened_before };

// What the journal of a file holds; nothing if there is no journal, or none that is whole. Errors: STORAGE;
// FORMAT if the journal is another file's, or of another version of Thalweg. Where both have been copied nobody can
// tell by the files, and they are taken to belong together.
struct FoundJournal {
  std::uint64_t sequence = 0;  // of the transaction, among those of the file
  block::Transaction transaction;
};
std::optional<FoundJournal> find_journal(const std::string& file_path, JournaledFile of = JournaledFile::of_any_length);
std::optional<block::Transaction> read_journal(const std::string& file_path,
                                               JournaledFile of = JournaledFile::of_any_length);

// The same for who changes the file then, and has not opened it for writing yet: an overlay copies what a lower layer
// has when that is first done, and the copy is another file. The journal goes first, and counts as one that was copied
// too.
std::optional<block::Transaction> take_journal(const std::string& file_path, JournaledFile of);

// Applies what a killed run may have been applying, if its journal is whole.
void apply_left_journal(const std::string& file_path, JournaledFile of);

// Deletes the journal of a file, if there is one.
void remove_journal(const std::string& file_path);

// Deletes the journal of a file that is not there any more. Errors: STORAGE if something else has the journal's name;
// it stays.
void remove_left_journal(const std::string& file_path);

}  // namespace thalweg::storage
