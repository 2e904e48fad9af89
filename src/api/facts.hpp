// What the tools of this version ask of the core: what it knows of formats, of names, and of what lies in files. The
// Python module asks, in the same process; it is no part of the interface.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Answers in JSON, in memory that is to be freed. Codes and errors as in thalweg.h.
//   "formats"      of all formats: what their rows say
//   "part"         subject: a name; the bytes of it that name the set, and the number, or null: it names no part
//   "length"       subject: a file; how long it is by its header
//   "journal"      subject: a file that grows; the transaction in its journal, or null
//   "replaceable"  subject: a folder; an error unless it consists of what formats put into one
__attribute__((visibility("default"))) int thalweg_private_ask(const char* what, const char* subject, char** answer);

#ifdef __cplusplus
}
#endif
