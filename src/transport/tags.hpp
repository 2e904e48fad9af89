// Which messages of a session travel with which tag of its communicator.
#pragma once

namespace thalweg::transport::tags {

constexpr int health = 1;          // who fails, and who waits (health/messages.hpp)
constexpr int commands = 2;        // what servers are told (session/commands.hpp)
constexpr int liveness = 3;        // who is here (health/liveness_check.hpp)
constexpr int files = 4;           // where records go, and what is written (files/messages.hpp)
constexpr int parts_read = 5;      // of fields that are read (read/input.hpp)
constexpr int first_channel = 16;  // pieces: one for each channel, from here on

}  // namespace thalweg::transport::tags
