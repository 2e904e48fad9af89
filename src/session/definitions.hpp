// What the model declares before its first record. Every call is the same on all ranks, and told to the servers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "planning/plan_book.hpp"
#include "session/core.hpp"
#include "session/model_clock.hpp"

namespace thalweg::session {

class Definitions {
 public:
  // All outlive this.
  Definitions(Core& core, ModelClock& clock, planning::PlanBook& plans) : core_(core), clock_(clock), plans_(plans) {}

  // Collective; the number of the decomposition.
  int decompose(geometry::Decomposition decomposition);
  // index: the number of each local point among all of them, counted row by row. Collective.
  int decompose_points(const std::vector<std::string>& dims, const Index& sizes, std::span<const std::int64_t> index,
                       bool masked);
  // The number of the decomposition that has what is selected along each dimension, of which names are those in files.
  // Its boxes are those of geometry::selected_of. Local, the same on every client.
  int part_of(int decomposition, const std::vector<geometry::Selection>& selections,
              const std::vector<std::string>& names);
  // The same for a sketch, which nobody else hears of.
  int sketched_part_of(int decomposition, const std::vector<geometry::Selection>& selections,
                       const std::vector<std::string>& names);

  // Errors: NAME for one that is open.
  Collection& open_collection(const std::string& name);
  // With settings of the program's, to which the configuration's are preferred, also those of the collection that it is
  // like (config/settings.hpp). Errors: also CONFIG.
  Collection& open_collection_text(const std::string& name, const std::string& yaml, const std::string& like = "");

  // One of the configuration that has the records of that one from the upcoming one on, which begins a file, and may
  // have other variables. When it is ready, the earlier one is to be ended (Session::close_file).
  Collection& succeed(const Collection& earlier, const std::string& name);

  // One of the configuration that this rank alone has: it takes definitions and puts, which nobody else hears of.
  Collection& sketch(const std::string& name);
  // The same with the settings of any one.
  Collection& sketch(const config::CollectionSettings& settings);
  void drop(Collection& sketch);
  // The run has come so far already; or as far as a sketch.
  void go_to(Collection& collection, const files::RecordClock::Elapsed& elapsed);
  void go_to(Collection& collection, const Collection& sketch);
  // Puts of a sketch's variable become those of a collection's.
  static void take_over(Collection& collection, const std::string& variable, Collection& sketch,
                        const std::string& sketched);

  // Errors: STATE once definitions have ended, and what catalog::Declaration says.
  void define_dimension(Collection& collection, const std::string& name, std::int64_t size);
  void define_variable(Collection& collection, const std::string& name, const std::string& dims, Type type,
                       int decomposition, const std::string& memory_dims);
  void define_attribute(Collection& collection, const std::string& variable, const catalog::Attribute& attribute);
  // What is declared of it cannot be, so that it is no collection any more: it takes no fields, and is not published.
  void give_up(Collection& collection);
  // It gathers over intervals, of which the first one began in an earlier run. It is not ready yet.
  void go_on(Collection& collection, const files::KeptInterval& from);
  void set_procedure(Collection& collection, const block::Callback& procedure);

 private:
  void require_not_open(const std::string& name) const;
  void tell(const Collection& of, const commands::Command& command);
  Collection& open(const config::CollectionSettings& settings);
  Collection& add(const config::CollectionSettings& settings, files::FileTurns turns);
  int add(geometry::Decomposition decomposition);
  catalog::DecompositionNames names_of(int decomposition) const;

  Core& core_;
  ModelClock& clock_;
  planning::PlanBook& plans_;
};

}  // namespace thalweg::session
