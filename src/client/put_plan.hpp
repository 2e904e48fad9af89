// How the boxes of this rank go into blocks of its node and into messages to others.
#pragma once

#include "client/draft.hpp"
#include "client/piece_parts.hpp"
#include "client/receiver.hpp"

namespace thalweg::client {

// Makes puts and inboxes of collections, and the channels of their messages.
class PutPlanner {
 public:
  // messages: memory for the messages of this rank. next_tag: of the channels of a session. All of it outlives this.
  PutPlanner(const Given& given, Receiver& receiver, PointCuts& cuts, int& next_tag, std::byte* messages)
      : given_(given), receiver_(receiver), cuts_(cuts), next_tag_(next_tag), messages_(messages) {}

  // Once the rings of the collection have their place.
  void plan(Draft& draft);

 private:
  void plan_boxes(Draft& draft, int variable);
  void plan_sends(Draft& draft, int variable);
  void plan_receives(Draft& draft, int variable);

  const Given& given_;
  Receiver& receiver_;
  PointCuts& cuts_;
  int& next_tag_;
  std::byte* messages_;
};

}  // namespace thalweg::client
