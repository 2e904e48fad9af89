// An input: a file or a set that is read. What is in it, how the model holds its variables, and the get, which goes in
// rounds: ranks that read take a window each, and send the others their shares.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "profile/counters.hpp"
#include "read/contents.hpp"
#include "read/coordinate.hpp"
#include "read/declared_variable.hpp"
#include "read/file_reader.hpp"
#include "read/getting.hpp"
#include "read/read_ahead.hpp"
#include "read/read_plan.hpp"
#include "read/rounds.hpp"
#include "roles/circle.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::read {

// What inputs of a session have in common. It outlives them.
struct Surroundings {
  const config::Settings& settings;
  const std::vector<geometry::Decomposition>& decompositions;
  roles::Circle circle;      // the clients
  std::vector<int> node_of;  // of each of them
  std::int64_t processors;   // that the clients of this node may run on
  ReadAhead& ahead;
  StorageCalls& storage;
  std::map<std::string, std::shared_ptr<const ReadPlan>>& plans;  // by Input::plan_key

  std::string who() const { return fmt::format("rank {}", circle.rank()); }
};

// What is got of a variable.
struct Asking {
  std::int64_t record = -1;
  int box = 0;
};

// The array of a get, and what is given in place of missing values; nothing: they are given as they are.
struct Into {
  put::Field field;
  std::optional<double> missing;
};

class Input {
 public:
  // Collective. counters: of what is got of it; they outlive it. translates: its times are those of the run's calendar
  // by their dates, whatever calendar it has itself. Errors: AGREEMENT, STORAGE, FORMAT.
  Input(const Surroundings& around, std::string path, profile::InputCounters& counters, bool translates = false);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // What fails on one of the ranks fails on all of them. Collective.
  void together(const std::function<void()>& body) const { transport::together(around_.circle, body); }
  // The largest of each place over all ranks. Collective.
  void most_of_all(std::vector<std::int64_t>& values) const { transport::maximum(around_.circle, values); }

  const std::string& path() const { return path_; }
  const Contents& contents() const { return contents_; }
  // What the file has under this name, or what is selected of it. Errors: NAME.
  const InputVariable& variable(const std::string& name) const;
  // Errors: FORMAT where the times of records are not known.
  const std::vector<double>& times_s() const;

  // Each of these checks whether a change can be made, and returns what makes it, which meets no error: several inputs
  // change together or not at all.
  using Change = std::function<void(Input&)>;
  // That only a part of a variable is got; an empty text: all. Collective. Errors: as thalweg_select_input.
  Change selecting(const std::string& variable, const std::string& selection);
  Change declaring(const std::string& variable, const HeldAs& held) const;
  Change setting_missing(const std::string& variable, double value) const;
  std::optional<double> missing(const std::string& variable) const;
  // Collective. The array's data is null on a rank that holds nothing; what is wrong with it is thrown on all ranks.
  // Errors: as of thalweg_get_box.
  void get_into(const std::string& variable, const Asking& asking, const std::function<Into()>& into);

  // Begins to do what a get of this into this very array will want of this rank before messages go. keeps: what the
  // array is in. Local. False: this rank reads nothing of it, as far as is known from earlier gets of variables
  // that lie alike, of this input or of another one. Errors: as of a get that reads alone.
  bool read_ahead(const std::string& variable, const Asking& asking, const std::function<Into()>& into,
                  std::shared_ptr<const void> keeps);
  // Gives it up: when this returns, nothing is put into the array any more, unless a thread was left that has it.
  void forget_ahead(const std::string& variable, int box);
  // Closes the file, which is opened again when something of it is read. Local.
  void release();
  // How this rank's arrays of the variable lie.
  const DeclaredVariable& declared(const InputVariable& variable);

 private:
  const std::shared_ptr<FileReader>& file();
  Getting begin_get(const std::string& name, const Asking& asking, const Into& into);
  const InputVariable& in_file(const std::string& name) const;
  int number_of(const InputVariable& variable) const;  // in the file
  Coordinate coordinate(const InputVariable& of, const std::string& where);
  Change selecting_part(InputVariable part) const;
  DeclaredVariable declared_as(const InputVariable& variable, const HeldAs& held) const;
  std::string plan_key(const DeclaredVariable& held, int box) const;
  std::shared_ptr<const ReadPlan> plan(Getting& getting);

  const Surroundings& around_;
  std::string path_;
  bool translates_ = false;
  profile::InputCounters& counters_;
  std::shared_ptr<FileReader> file_;  // on ranks that read
  Contents contents_;
  bool is_summed_ = false;                      // beside it lie checksums
  std::map<std::string, InputVariable> parts_;  // of variables of which not all is got
  std::map<std::string, HeldAs> held_;          // as the model has declared
  std::map<std::string, DeclaredVariable> declared_;
  std::map<std::string, double> missing_;
};

// A get with what was said of missing values before.
inline void get(Input& input, const std::string& variable, const Asking& asking,
                const std::function<put::Field()>& field) {
  input.get_into(variable, asking, [&] { return Into{field(), input.missing(variable)}; });
}

}  // namespace thalweg::read
