#include "profile/status.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace thalweg::profile {
namespace {

using OrderedJson = nlohmann::ordered_json;

const char* word_of(SessionState state) {
  switch (state) {
    case SessionState::running: return "running";
    case SessionState::finished: return "finished";
    case SessionState::failed: return "failed";
    case SessionState::ended: break;
  }
  return "ended";
}

// JSON has no NaN, and "nothing" is null.
template <typename T>
OrderedJson value_or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

OrderedJson status_json(const std::optional<ModelMoment>& moment) {
  if (!moment) return nullptr;
  return {{"at", moment->at}, {"time_s", moment->time_s}};
}

OrderedJson status_json(const std::optional<RankStep>& step) {
  if (!step) return nullptr;
  return {{"rank", step->rank}, {"steps", step->steps}};
}

OrderedJson status_json(const std::optional<RankWait>& wait) {
  if (!wait) return nullptr;
  return {{"rank", wait->rank}, {"for", wait->cause}, {"since", wait->since}};
}

OrderedJson status_json(const ModelStatus& model) {
  return {{"steps", model.steps},
          {"start_s", model.start_s},
          {"end_s", value_or_null(model.end_s)},
          {"first", status_json(model.first)},
          {"last", status_json(model.last)},
          {"slowest", status_json(model.slowest)},
          {"fastest", status_json(model.fastest)}};
}

OrderedJson status_json(const CollectionStatus& of) {
  return {{"name", of.name},
          {"number", of.number},
          {"put", of.put},
          {"written", of.written},
          {"committed", value_or_null(of.committed)},
          {"files", of.files},
          {"file", text_or_null(of.file)},
          {"raw_bytes", of.raw_bytes},
          {"file_bytes", of.file_bytes},
          {"blocks", {{"total", of.blocks.total}, {"free", of.blocks.free}}}};
}

// Names of files and hosts need not be UTF-8.
std::string json_text(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace

const char* const status_beginning = R"({"thalweg_status":)";

std::string body_of(const StatusOrigin& origin, const WriterStatus& status) {
  OrderedJson collections = OrderedJson::array();
  for (const CollectionStatus& of : status.collections) collections.push_back(status_json(of));
  const OrderedJson body{{"run", origin.run},
                         {"configuration", text_or_null(origin.configuration)},
                         {"host", origin.host},
                         {"pid", origin.pid},
                         {"rank", origin.rank},
                         {"ranks", origin.ranks},
                         {"writers", origin.writers},
                         {"node", origin.node},
                         {"role", origin.is_server ? "server" : "client"},
                         {"started", origin.started},
                         {"interval_s", origin.interval_s},
                         {"longest_s", origin.longest_s},
                         {"state", word_of(status.state)},
                         {"finished", status.state == SessionState::finished},
                         {"error", text_or_null(status.error)},
                         {"bytes_per_s", status.bytes_per_s},
                         {"model", status_json(status.model)},
                         {"wait", status_json(status.wait)},
                         {"collections", std::move(collections)}};
  return json_text(body);
}

std::string status_text(const std::string& body, double written) {
  return fmt::format("{}1,\"version\":\"{}\",\"written\":{:.3f},{}\n", status_beginning, THALWEG_VERSION, written,
                     body.substr(1));
}

double ByteRate::since_last(std::int64_t bytes, double now_s) {
  const std::int64_t new_bytes = bytes - std::exchange(bytes_, bytes);
  const std::optional<double> before = std::exchange(looked_s_, now_s);
  if (!before || now_s <= *before) return 0.0;
  return static_cast<double>(new_bytes) / (now_s - *before);
}

}  // namespace thalweg::profile
