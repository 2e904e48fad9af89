// Session: the part of a server. It is told what the clients do together and does the same, without fields of its own;
// pieces come through the node's blocks or by message, and its writer works on a thread beside. It sleeps on the bell
// of its node; what comes from other nodes it looks for, ever less often while nothing does.
#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "client/session.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {
namespace {

constexpr double peer_interval_s = 1.0;     // between looks at whether the processes of the node live
constexpr double longest_sleep_s = 0.25;    // where the bell tells all
constexpr double shortest_look_s = 0.0005;  // for messages of other writers and nodes, while they come
constexpr double longest_look_s = 0.02;     // and after a while without any
constexpr double look_share = 0.01;         // of the time without any

}  // namespace

void Session::tell(const verbs::Verb& verb) {
  if (!roles_->has_servers() || roles_->rank != roles_->first_client) return;
  const transport::Bytes bytes = verbs::pack(verb);
  const bool is_last = std::holds_alternative<verbs::Finish>(verb) || std::holds_alternative<verbs::Abandon>(verb);
  if (!is_last) wait_for_servers_to_hear();
  for (std::size_t s = 0; s < roles_->servers.size(); ++s)
    if (is_last || !control_->is_lost(roles_->server_groups[s])) verbs_.send(roles_->servers[s], bytes);
  verbs_.is_idle();  // lets go of those that have left
  control_->ring();
}

// A model that never waits, with steps that close no record, would be ahead of servers by ever more orders, which the
// MPI library keeps. A server that is behind needs nothing of this rank but what is under way already, and pieces and
// notices go on meanwhile.
void Session::wait_for_servers_to_hear() {
  if (verbs_.full_receiver() < 0) return;
  const Timer timer(counters_.wait_send_s);
  while (verbs_.full_receiver() >= 0)
    unless_lost([&] {
      drain_until([&] { return verbs_.full_receiver() < 0; }, {staging::WaitCause::orders, -1, -1, -1},
                  [&] {
                    return fmt::format("Rank {}, a server, is more than {} orders behind and takes no more.\n",
                                       verbs_.full_receiver(), transport::Notices::verb_window);
                  },
                  message_interval_s);
    });
}

// Not for the end of a session that all ranks see: those that are a little behind would hear of it before they see it.
void Session::abandon(const std::string& why) {
  if (told_finish_) return;
  control_->report_failure(THALWEG_ERROR_PEER, fmt::format("rank {}: {}", roles_->rank, why));
  spread_failure_now();
  leave_servers(why);
}

void Session::leave_servers(const std::string& why) {
  constexpr double patience_s = 1.0;
  if (std::exchange(told_finish_, true)) return;
  tell(verbs::Abandon{why});
  for (const double start_s = now_s(); !verbs_.is_idle() && now_s() - start_s < patience_s;)
    transport::make_progress(roles_->messages);
}

// A server that ends with an error says so to other nodes before it goes.
void Session::serve() {
  try {
    serve_until_finish();
  } catch (const Error&) {
    throw_if_failed();
    throw;
  }
}

void Session::serve_until_finish() {
  phases_.begin(times_.other_s);
  staging::ClientState& self = control_->client(roles_->node_rank);
  double last_s = now_s();
  double next_check_s = last_s + peer_interval_s;
  while (!told_finish_) {
    const std::uint32_t seen = control_->bell();
    const std::int64_t arrivals = received_;
    bool worked = obey_next();
    progress();
    control_->throw_failure();
    worked |= received_ != arrivals;
    const double now = now_s();
    self.since_s = now;
    self.seen_s = now;
    if (now > next_check_s) {
      waiter_->check_peers();
      next_check_s = now + peer_interval_s;
    }
    if (worked)
      last_s = now;
    else
      sleep(seen, serving_interval_s(now - last_s));
  }
}

void Session::sleep(std::uint32_t seen, double longest_s) {
  const profile::Phases::Phase phase(phases_, times_.wait_message_s);
  control_->sleep_until_rung(seen, longest_s);
}

double Session::serving_interval_s(double idle_s) const {
  double interval_s = longest_sleep_s;
  if (looks_for_messages() || verbs_.is_receiving())
    interval_s = std::clamp(idle_s * look_share, shortest_look_s, longest_look_s);
  for (const auto& desk : desks_)
    if (desk && desk->has_waiting()) interval_s = std::min(interval_s, desk->interval_s());
  return interval_s;
}

// What is wrong with an order is told by all ranks together, and the clients know it; only failures that end the
// session end the serving.
bool Session::obey_next() {
  const std::optional<transport::Bytes> bytes = verbs_.receive();
  if (!bytes) return false;
  const verbs::Verb verb = understood(*bytes);
  try {
    obey(verb);
  } catch (const Error&) {
    control_->throw_failure();
  }
  return true;
}

// Who tells what cannot be understood tells it to this server alone.
verbs::Verb Session::understood(const transport::Bytes& bytes) {
  try {
    return verbs::unpack(bytes);
  } catch (const Error& error) {
    control_->report_failure(error.code(), fmt::format("server, rank {}: {}", roles_->rank, error.what()));
    throw;
  }
}

void Session::obey(const verbs::Verb& verb) {
  struct Visitor {
    Session& session;
    Collection& at(int collection) const { return session.collection_at(collection); }
    void operator()(const verbs::Decompose& v) const {
      session.decompose({v.dimensions, v.shape, {}, v.halo_low, v.halo_high, v.masked, nullptr});
    }
    void operator()(const verbs::DecomposeIndices& v) const {
      session.decompose_indices(v.dimension, v.size, {}, v.masked);
    }
    void operator()(const verbs::OpenCollection& v) const { session.open_collection(v.name); }
    void operator()(const verbs::DefineDimension& v) const {
      session.define_dimension(at(v.collection), v.name, v.size);
    }
    void operator()(const verbs::DefineVariable& v) const {
      session.define_variable(at(v.collection), v.name, v.dims, v.type, v.decomposition, v.memory_dims);
    }
    void operator()(const verbs::DefineAttribute& v) const {
      session.define_attribute(at(v.collection), v.variable, v.attribute);
    }
    void operator()(const verbs::ChangeAttribute& v) const {
      session.change_attribute(at(v.collection), v.variable, v.attribute);
    }
    void operator()(const verbs::Ready& v) const {
      session.ready(v.maps_at_once ? Mapping::at_once : Mapping::in_background);
    }
    void operator()(const verbs::SetTime& v) const { session.set_time(v.time_s); }
    void operator()(const verbs::Advance& v) const { session.advance(v.time_s); }
    void operator()(const verbs::NewFile& v) const { session.new_file(at(v.collection), v.name); }
    void operator()(const verbs::Flush&) const { session.flush(); }
    void operator()(const verbs::Wait&) const { session.wait(); }
    void operator()(const verbs::Finish&) const { session.told_finish_ = true; }
    void operator()(const verbs::Abandon& v) const {
      session.control_->report_failure(THALWEG_ERROR_PEER, v.text);
      session.control_->throw_failure();
    }
  };
  std::visit(Visitor{*this}, verb);
}

}  // namespace thalweg::client
