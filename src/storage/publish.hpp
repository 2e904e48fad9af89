// A file or Zarr store that is complete gets its name.
#pragma once

#include <string>

#include "storage/checksum_file.hpp"
#include "storage/file_identity.hpp"

namespace thalweg::storage {

// Of a folder that may be replaced as a whole: there is nothing in it but what its format puts there. Throws STORAGE,
// naming the first thing that is something else.
using FolderCheck = void (*)(const std::string& folder);

// In a store that has lost its name to another one. Its removal ends with this object.
constexpr const char* replaced_mark = "thalweg-replaced";

// In a new store: which one it takes the place of. Between the exchange of names and the end of the removal that one
// has the partial name.
constexpr const char* replaced_note = "thalweg-replaces";

// It takes the place of a file or store that has the name: at every moment the complete old one or the complete new one
// is there. A file replaces a file by one renaming; where a store is concerned, the two exchange their names, and the
// old one is removed when it has lost its own. Where the file system cannot exchange names (NFS and some others), the
// old one steps aside to "<path>.replaced", for the moment between two renamings, and comes back if the second fails.
//
// written: what partial_path stood for while it was written; what is there by now must be the same, else nothing
// happens. durable: the name itself is on stable storage too. The caller has the lock of the name
// (storage/name_lock.hpp). Errors: STORAGE; the file keeps the name partial_path then, unless the text says otherwise.
//
// A companion with checksums gets its name behind the file, and that of the file that was there goes before it: whoever
// is killed in between leaves a file without one, never one with another's.
void publish(const std::string& partial_path, const std::string& path, const block::FileIdentity& written, bool durable,
             FolderCheck check_folder, ChecksumFile* checksums = nullptr);

// What became of a store that was replaced is still there where a run was killed at that moment: it is marked, so that
// it is known as ours. Removes it. The caller has the lock of the name. Errors: STORAGE.
void remove_replaced(const std::string& path);
bool may_have_replaced(const std::string& path);  // there is a store under such a name

}  // namespace thalweg::storage
