// A session on the model's side: declare -> put -> advance -> finish. What each call means is said in thalweg.h.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "health/step_agreement.hpp"
#include "planning/plan_book.hpp"
#include "planning/writer_loads.hpp"
#include "profile/report.hpp"
#include "put/putter.hpp"
#include "session/continued_files.hpp"
#include "session/core.hpp"
#include "session/definitions.hpp"
#include "session/field_puts.hpp"
#include "session/model_clock.hpp"
#include "session/mpiio_writer.hpp"
#include "session/record_closer.hpp"
#include "session/shutdown.hpp"

namespace thalweg::session {

class Session {
 public:
  // Collective over the communicator of roles.
  Session(config::Settings settings, std::unique_ptr<roles::Roles> roles);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Definitions& definitions() { return definitions_; }

  // Collections that are open and not ready become so, and puts that were kept for them are made. Mapping of staging
  // memory ends on all ranks before it returns, or goes on in the background. Collective.
  enum class Mapping { at_once, in_background };
  // kept_bytes: of the staging memory, which stay free for collections that are opened later; unless it is said, what
  // those want that are sketched here.
  void ready(Mapping mapping = Mapping::at_once, std::optional<std::int64_t> kept_bytes = {});
  enum class TimeOf { start, end };  // of the run
  void set_time(TimeOf of, double time_s);
  // Local: before the collection is ready, what is put is kept.
  void put(Collection& collection, std::string_view variable, int box, const put::Field& field);
  void advance(double time_s);
  double now_s() const { return clock_.now_s(); }  // model time
  // Or, of a collection that gathers, the end of an interval for which no client has put anything.
  void record(Collection& collection, double time_s, files::Closing closing = files::Closing::record);
  // What follows: other files of the collection, or nothing, so that it takes no more fields.
  enum class Behind { files, nothing };
  void close_file(Collection& collection, Behind behind = Behind::files);
  void new_file(Collection& collection, const std::string& name);
  enum class GivenTo { coming_files, open_file };
  void give_attribute(GivenTo files, Collection& collection, const std::string& variable,
                      const catalog::Attribute& attribute);
  void flush();
  void wait();
  // Local, also after a failure. Errors: what keeps records of this collection from being written; STATE where no
  // writer of this node has a part in its files, and where one rank cannot have its records committed alone.
  void wait_for(Collection& collection);
  profile::Report finish();

  // MPI ends while the session is open: what is complete is committed as far as it can be in a second, all ranks and
  // servers are told, and nothing here calls MPI any more.
  void meet_end_of_mpi();

  // This rank goes without having finished: the others are told, and end with this text. Waits no longer than a second.
  void abandon(const std::string& why);

  // Groups of servers that are lost, and what was given up with them, as all ranks knew it at the last wait or finish.
  std::optional<Error> loss() const { return core_.health.groups.agreed(); }
  // What the model did not put and should have, if the call that closed the record has not said so. Taken once.
  std::optional<Error> take_not_put();
  // Of those who do something together at the end; null on others.
  roles::Circle circle_at_end() const { return core_.health.groups.circle_at_end(); }

  const roles::Roles& roles() const { return *core_.roles; }
  const config::Settings& settings() const { return core_.settings; }
  // For the server, which drives the session (server/serve.hpp).
  Core& core() { return core_; }

 private:
  void begin_call();
  void set_up(Mapping mapping, std::int64_t kept_bytes);
  void end_definitions(Mapping mapping, std::int64_t kept_bytes);

  Core core_;
  ModelClock clock_;
  planning::Given given_;
  planning::PlanBook plans_;
  Definitions definitions_;
  put::Putter putter_;
  MpiioWriter mpiio_;
  RecordCloser records_;
  ContinuedFiles continued_;
  FieldPuts puts_;
  health::StepAgreement steps_;
  Shutdown shutdown_;
  planning::WriterLoads loads_;
};

}  // namespace thalweg::session
