#include "server/replay.hpp"

#include <utility>

namespace thalweg::server {

namespace commands = session::commands;
using session::Session;

void replay(session::Session& session, const commands::Command& command) {
  struct Visitor {
    session::Session& session;
    session::Definitions& definitions;
    session::Collection& at(int collection) const { return session.core().declared.at(collection); }
    void operator()(const commands::Decompose& c) const {
      geometry::Decomposition none{c.dimensions, c.shape, {}, c.halo_low, c.halo_high, c.masked, nullptr, {}};
      none.has_own_names = c.has_own_names;
      definitions.decompose(std::move(none));
    }
    void operator()(const commands::DecomposePoints& c) const {
      definitions.decompose_points(c.dimensions, c.sizes, {}, c.masked);
    }
    void operator()(const commands::Select& c) const {
      definitions.part_of(c.decomposition, commands::selections_of(c), c.dimensions);
    }
    void operator()(const commands::OpenCollection& c) const { definitions.open_collection(c.name); }
    void operator()(const commands::OpenCollectionText& c) const {
      definitions.open_collection_text(c.name, c.yaml, c.like);
    }
    void operator()(const commands::Succeed& c) const { definitions.succeed(at(c.collection), c.name); }
    void operator()(const commands::DefineDimension& c) const {
      definitions.define_dimension(at(c.collection), c.name, c.size);
    }
    void operator()(const commands::DefineVariable& c) const {
      definitions.define_variable(at(c.collection), c.name, c.dims, c.type, c.decomposition, c.memory_dims);
    }
    void operator()(const commands::DefineAttribute& c) const {
      definitions.define_attribute(at(c.collection), c.variable, c.attribute);
    }
    void operator()(const commands::ChangeAttribute& c) const {
      session.give_attribute(Session::GivenTo::coming_files, at(c.collection), c.variable, c.attribute);
    }
    void operator()(const commands::AddAttribute& c) const {
      session.give_attribute(Session::GivenTo::open_file, at(c.collection), c.variable, c.attribute);
    }
    void operator()(const commands::GiveUp& c) const { definitions.give_up(at(c.collection)); }
    void operator()(const commands::GoOn& c) const {
      definitions.go_on(at(c.collection), {c.run_start_s, c.begin_s, c.records});
    }
    void operator()(const commands::GoTo& c) const {
      definitions.go_to(at(c.collection), {c.start_s, c.now_s, c.said_s, c.steps});
    }
    void operator()(const commands::Ready& c) const {
      session.ready(c.maps_at_once ? session::Session::Mapping::at_once : session::Session::Mapping::in_background,
                    c.kept_bytes);
    }
    void operator()(const commands::SetTime& c) const { session.set_time(Session::TimeOf::start, c.time_s); }
    void operator()(const commands::SetEndTime& c) const { session.set_time(Session::TimeOf::end, c.time_s); }
    void operator()(const commands::Advance& c) const { session.advance(c.time_s); }
    void operator()(const commands::Record& c) const {
      session.record(at(c.collection), c.time_s, c.is_left_out ? files::Closing::interval : files::Closing::record);
    }
    void operator()(const commands::NewFile& c) const { session.new_file(at(c.collection), c.name); }
    void operator()(const commands::CloseFile& c) const {
      session.close_file(at(c.collection), c.is_last ? Session::Behind::nothing : Session::Behind::files);
    }
    void operator()(const commands::Flush&) const { session.flush(); }
    void operator()(const commands::Wait&) const { session.wait(); }
    void operator()(const commands::Finish&) const {}   // The serving loop ends with it.
    void operator()(const commands::Abandon&) const {}  // It is an error of the serving loop.
  };
  std::visit(Visitor{session, session.definitions()}, command);
}

}  // namespace thalweg::server
