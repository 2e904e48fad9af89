// What the opaque handles of thalweg.h point at. They live in the session.
#pragma once

#include <list>
#include <memory>

#include "client/session.hpp"

struct thalweg_decomposition {
  thalweg_session* session;
  int number;
};

struct thalweg_collection {
  thalweg_session* session;
  thalweg::client::Collection* collection;
};

struct thalweg_session {
  std::unique_ptr<thalweg::client::Session> session;
  std::list<thalweg_decomposition> decompositions;
  std::list<thalweg_collection> collections;
};
