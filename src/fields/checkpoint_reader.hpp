// The checkpoint of the time at which a run starts: whether a collection can go on from it, and what it had gathered.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fields/checkpoint.hpp"
#include "read/inputs.hpp"

namespace thalweg::fields {

// How a collection begins.
struct Beginning {
  std::optional<files::KeptInterval> from;  // nothing: anew
  std::string refused;                      // why it cannot; "": it can
};

class CheckpointReader {
 public:
  // Looks for that of a run that starts then. Collective over the clients. All outlives this. Errors: of an input that
  // cannot be read.
  CheckpointReader(session::Session& session, read::Inputs& inputs, double start_s);
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;

  // Collective.
  Beginning beginning_of(const config::CollectionSettings& collection, const KeptCollection& now);
  // Of variables with files of their own: those of the collection that were gathered.
  std::vector<std::string> files_of(const std::string& collection) const;
  // What the collection had gathered. Collective.
  void restore(ChosenCollection& collection, const KeptCollection& now, const std::vector<Field>& fields);

 private:
  void look_for(const std::string& pattern);
  std::string first_file(const config::CollectionSettings& collection) const;
  std::string date(double time_s) const;
  std::vector<double> numbers(const char* variable, std::int64_t count);
  void restore(Output& output, std::size_t of, const DefinedDimensions& held, std::size_t variable,
               const Accumulator::Taken& taken);

  session::Session& session_;
  read::Inputs& inputs_;
  double start_s_;
  std::string path_;                  // empty: there is none
  std::string pattern_;               // of the names
  std::string others_;                // of other times
  read::Input* input_ = nullptr;      // where there is one
  std::vector<KeptCollection> kept_;  // that are in it
};

}  // namespace thalweg::fields
