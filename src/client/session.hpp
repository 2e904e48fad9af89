// A session on the model's side: declare -> put -> advance -> finish. What each call means is said in thalweg.h.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "client/collection.hpp"
#include "client/file_desk.hpp"
#include "client/names_in_use.hpp"
#include "client/verbs.hpp"
#include "client/writer_loads.hpp"
#include "client/writer_port.hpp"
#include "config/settings.hpp"
#include "exchange/plan.hpp"
#include "profile/counters.hpp"
#include "profile/report.hpp"
#include "roles/roles.hpp"
#include "staging/control.hpp"
#include "staging/shared_memory.hpp"
#include "staging/waiter.hpp"
#include "store/orders.hpp"
#include "store/storage_calls.hpp"
#include "transport/arrivals.hpp"
#include "transport/group.hpp"
#include "transport/notices.hpp"
#include "transport/progress_thread.hpp"

namespace thalweg::client {

// Makes the writer of a leader's process.
using MakeWriter = std::function<std::unique_ptr<WriterPort>(staging::Control&, store::OrderBook&)>;

class Session {
 public:
  // Collective over the communicator of roles.
  Session(config::Settings settings, std::unique_ptr<roles::Roles> roles, const MakeWriter& make_writer);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Collective; the number of the decomposition.
  int decompose(exchange::Decomposition decomposition);
  // index: the global index of each local point of dimension `dim`. Collective.
  int decompose_indices(const std::string& dim, std::int64_t size, std::span<const std::int64_t> index, bool masked);
  Collection& open_collection(const std::string& name);
  catalog::DecompositionNames names_of(int decomposition) const;
  // Errors: STATE once definitions have ended, and what catalog::Declaration says.
  void define_dimension(Collection& collection, const std::string& name, std::int64_t size);
  void define_variable(Collection& collection, const std::string& name, const std::string& dims, Type type,
                       int decomposition, const std::string& memory_dims);
  void define_attribute(Collection& collection, const std::string& variable, const catalog::Attribute& attribute);
  void set_procedure(Collection& collection, const store::Procedure& procedure);

  // Mapping of staging memory ends on all ranks before it returns, or goes on in the background.
  enum class Mapping { at_once, in_background };
  void ready(Mapping mapping = Mapping::at_once);
  void set_time(double time_s);
  void put(Collection& collection, std::string_view variable, int box, const Field& field);
  bool is_due(const Collection& collection) const { return collection.schedule.upcoming().due; }
  void advance(double time_s);
  void new_file(Collection& collection, const std::string& name);
  void change_attribute(Collection& collection, const std::string& variable, const catalog::Attribute& attribute);
  void flush();
  void wait();
  profile::Report finish();

  // MPI ends while the session is open: what is complete is committed as far as it can be in a second, all ranks and
  // servers are told, and nothing here calls MPI any more.
  void meet_end_of_mpi();

  // This rank goes without having finished: the others are told, and end with this text. Waits no longer than a second.
  void abandon(const std::string& why);

  // Groups of servers that are lost, and what was given up with them, as all ranks knew it at the last wait or finish.
  std::optional<Error> loss() const;
  roles::Circle circle_at_end() const;  // of those who do something together at the end; null on others

  // The part of a server, until the clients finish: then finish() follows. Errors: what ended the session early.
  void serve();

  const roles::Roles& roles() const { return *roles_; }
  const config::Settings& settings() const { return settings_; }

 private:
  friend class Preparation;
  // Messages between nodes go on in calls of Thalweg: who waits looks for them this often.
  static constexpr double message_interval_s = 0.0005;
  struct Area;  // a staging segment

  // Null on ranks that do not write the collection, and where they have no part in it.
  FileDesk* desk_of(const Collection& collection) const {
    return roles_->self.writes ? desks_[static_cast<std::size_t>(collection.number)].get() : nullptr;
  }
  // What goes wrong with files on a writer concerns all who wait for them.
  template <typename Work>
  void at_desk(const Collection& collection, const Work& work) {
    FileDesk* desk = desk_of(collection);
    if (desk == nullptr || is_given_up(collection)) return;
    const profile::Phases::Phase phase(phases_, times_.forward_s[static_cast<std::size_t>(collection.number)]);
    const store::StorageCallWatch watch([this] { note_storage_call(); });
    try {
      work(*desk);
    } catch (const Error& error) {
      if (survives(collection, error)) return;
      control_->report_failure(error.code(), error.what());
      spread_failure();
      throw;
    }
  }
  void make_first_files();
  void meet_for_definitions();
  void require_all_arrived();  // all ranks, servers as well, are here, or DEADLINE
  void check_changes_agree();
  void together_at_storage(const std::function<void()>& work);
  catalog::Declaration& declare(Collection& collection);
  Collection& collection_at(int number);
  void require_ready() {
    if (!all_ready_) ready(Mapping::in_background);
  }
  // ---- servers
  void tell(const verbs::Verb& verb);
  void wait_for_servers_to_hear();
  void leave_servers(const std::string& why);
  void serve_until_finish();
  bool obey_next();
  verbs::Verb understood(const transport::Bytes& bytes);
  void obey(const verbs::Verb& verb);
  double serving_interval_s(double idle_s) const;
  void sleep(std::uint32_t seen, double longest_s);
  // ---- losses
  bool is_given_up(const Collection& collection) const {
    return control_->is_lost(roles_->group_of(collection.number));
  }
  template <typename Work>
  void unless_lost(const Work& work) {
    try {
      work();
    } catch (const staging::GroupLost&) {
    }
  }
  void set_up_losses();
  int group_to_blame(const staging::WaitFor& what);
  bool is_writing(int group);
  int group_of_late_receiver();
  int group_that_hears_nothing();
  bool is_unresponsive_here(int group);
  bool is_silent_elsewhere(int group);
  int group_of_server(int rank) const;
  bool survives(const Collection& collection, const Error& error);
  void learn_losses();
  void spread_loss(int group);
  void hear_loss(const transport::Notice& notice);
  std::int64_t known_records(const Collection& collection) const;
  std::string loss_text(int group) const;
  void call_roll();
  void answer_roll();
  void hear_roll();
  int missing_group();
  void agree_on_losses();
  // ---- putting
  void put_box(Collection& collection, int variable, int box, Field field);
  std::uint64_t convert_piece(Collection& collection, int variable, const transform::BoxCopy& copy,
                              const PiecePoints& points, const std::byte* source, std::byte* target);
  void put_local(Collection& collection, int variable, const BoxPuts& puts, const Field& field, const FieldView& view,
                 std::int64_t record);
  void put_remote(Collection& collection, int variable, const BoxPuts& puts, const Field& field, const FieldView& view,
                  std::int64_t record);
  void send_if_complete(Collection& collection, int variable, std::int64_t record);
  void put_missing(Collection& collection, bool has_record, std::int64_t record);
  void fill_box(Collection& collection, int variable, const BoxPuts& puts, std::int64_t record);
  void arrive(Collection& collection, int variable, const BlockPlace& place, std::uint32_t pieces,
              std::uint32_t expected, std::uint64_t checksum, std::int64_t record);
  void begin_record(Collection& collection, const Upcoming& upcoming);
  void put_record_coordinate(Collection& collection, double time_s);
  std::byte* target_of(const Collection& collection, int variable, const LocalPut& piece, std::int64_t record) const;
  void wait_for_block(Collection& collection, int variable, const BlockPlace& place, std::int64_t record);
  struct RoomWanted {
    const Collection& collection;
    int variable;
    const BlockPlace& place;
    std::int64_t record;
  };
  void wait_for_room(const RoomWanted& wanted, staging::Word& word, std::atomic<std::uint32_t>& waiters,
                     const std::function<bool()>& has_room);
  bool claim(const Collection& collection, std::int64_t record);
  void give_to_write(const Share& share, std::int64_t bytes);
  void wait_for_channel(Collection& collection, int variable, transport::SendChannel& channel, std::int64_t record);
  std::string block_blame(const Collection& collection, int variable, const BlockPlace& place,
                          std::int64_t record) const;
  std::string last_puts(const Collection& collection, int variable) const;
  const std::string& where(const Collection& collection, int variable) const;
  std::string title_of(int collection, int variable) const;
  // ---- engine library
  void write_by_library(Collection& collection, const Upcoming& upcoming);
  void finish_by_library(Collection& collection);
  void meet_at_library(const Collection& collection, std::int64_t record);
  void at_library(Collection& collection, const std::function<void(LibraryDesk&)>& work);
  std::string missing_blocks(const Collection& collection, std::int64_t record) const;
  void add_library(profile::Report& report) const;
  // ---- steps, the same on all ranks
  void require_model_time(const char* verb, double time_s) const;
  void require_step(double time_s) const;
  void require_initial_records() const;
  void hold_for_start();
  void note_start(double time_s);
  void note_step(double time_s);
  void meet_after_steps();
  void for_neighbours(const std::function<void(const staging::ClientState&)>& look);
  [[noreturn]] void refuse_steps(const std::string& what);
  void check_steps_agree();
  // ---- going on
  void close_record(Collection& collection, double time_s);
  void place_all();
  void settle(Collection& collection, std::int64_t record);
  void drain_until(const std::function<bool()>& done, const staging::WaitFor& what, const std::string& blame,
                   double longest_interval_s = 1.0) {
    drain_until(done, what, [&] { return blame; }, longest_interval_s);
  }
  void drain_until(const std::function<bool()>& done, const staging::WaitFor& what,
                   const std::function<std::string()>& blame, double longest_interval_s = 1.0);
  void progress();
  bool receive_pieces();
  void look_at_early_pieces();
  enum class Taking { taken, early, needs_block };
  Taking take_messages(const InboxPlace& place);
  Taking take_message(Collection& collection, Inbox& inbox, const std::byte* message);
  void hear_notices();
  void tell_news();
  void send_news(bool asks, double now);
  void note_storage_call();
  void hear_news(const transport::Notice& notice);
  bool somebody_waits_long(double now) const;
  void tell_events();
  // Messages may come: from other nodes, or between servers and who tells them.
  bool has_peers() const { return roles_->node_count > 1 || roles_->has_servers(); }
  // Some come that nobody rings the bell for: from other nodes, or other writers of a collection.
  bool looks_for_messages() const;
  void start_writer();
  void set_pump();
  void watch_meetings();
  bool speaks_for_node() const;
  void spread_failure();
  void spread_failure_now();
  void throw_if_failed();
  // ---- sending
  void note_progress() const;
  void start_progress_thread();
  void drive_messages();
  void end_progress_thread();
  bool sends_are_under_way();
  bool everything_sent();
  void wait_until_sent();
  void wait_for_sends(double longest_interval_s);
  std::string unsent_pieces();
  std::pair<const Collection*, int> first_unsent();
  void close_files();
  bool has_nothing_to_publish(const Collection& collection) const;
  bool stop_writer();
  void abandon_writer();
  void leave_messages();
  void commit_what_is_complete(double patience_s);
  std::string left_files() const;
  void end_mapping();
  void release();
  profile::Report report();

  config::Settings settings_;
  std::unique_ptr<roles::Roles> roles_;
  staging::SharedMemory control_memory_;
  staging::Control* control_ = nullptr;
  std::unique_ptr<store::OrderBook> book_ = std::make_unique<store::OrderBook>();
  std::unique_ptr<WriterPort> writer_;  // on ranks that write
  std::unique_ptr<staging::Waiter> waiter_;
  transport::Notices notices_;
  transport::Mailbox verbs_;  // to servers
  std::unique_ptr<transport::ProgressThread> progress_thread_;
  bool receives_ = false;  // pieces come by message
  bool has_sent_ = false;  // and has not seen all of it leave
  // Groups may be lost without the others.
  struct Loss {
    bool is_known = false;
    bool is_spread = false;
    bool is_agreed = false;  // at the last roll call
  };
  bool survives_ = false;
  std::vector<Loss> losses_;  // of each group
  std::unique_ptr<transport::Group> clients_;
  transport::Mailbox rolls_;
  std::int64_t roll_ = 0;
  std::int64_t answered_roll_ = 0;
  std::map<int, std::int64_t> rolls_of_servers_;
  transport::Arrivals arrivals_;
  std::vector<InboxPlace> inboxes_;  // of all collections: owners of the arrivals
  std::vector<int> full_inboxes_;    // that have something in which is not taken yet
  std::vector<int> early_inboxes_;   // what is in is of a record that this rank has not come to
  bool told_finish_ = false;
  bool wants_block_ = false;   // for pieces that have come by message
  std::int64_t received_ = 0;  // messages with pieces
  profile::Phases phases_;     // of a server
  profile::ServerTimes times_;
  std::vector<exchange::Decomposition> decompositions_;
  std::list<Collection> collections_;             // in order of opening
  std::vector<Collection*> ready_collections_;    // by number
  std::vector<std::unique_ptr<FileDesk>> desks_;  // by number, on ranks that write
  WriterLoads loads_;
  std::list<Area> areas_;
  std::vector<std::thread> mapping_;  // threads that map staging memory
  bool all_ready_ = false;
  std::optional<Error> definition_error_;  // of collections that never got ready, or whose first file cannot be made
  NamesInUse names_{settings_};
  bool running_ = false;  // puts or advances have begun
  bool advanced_ = false;
  bool has_spread_failure_ = false;
  double told_news_s_ = 0.0;
  double asked_for_news_s_ = 0.0;
  double now_s_ = 0.0;
  double started_at_s_ = 0.0;
  std::uint64_t steps_hash_ = 0;  // of the times of all steps
  std::uint32_t next_token_ = 0;
  int next_channel_tag_ = transport::Notices::first_channel_tag;
  std::int64_t staging_bytes_ = 0;
  double start_s_ = 0.0;
  profile::ClientCounters counters_;
};

}  // namespace thalweg::client
