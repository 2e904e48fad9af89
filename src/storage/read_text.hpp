// A small file as one text.
#pragma once

#include <fcntl.h>

#include <span>
#include <string>

#include "storage/posix.hpp"

namespace thalweg::storage {

// Errors: STORAGE.
inline std::string read_text(const std::string& path) {
  const Descriptor file = open_file(path, O_RDONLY);
  std::string text(static_cast<std::size_t>(size_of_file(file, path)), '\0');
  read_all(file, path, 0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace thalweg::storage
