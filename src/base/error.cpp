#include "base/error.hpp"

#include <exception>
#include <new>

namespace thalweg {

Error error_in_flight(const std::string& where) {
  const std::string place = where.empty() ? "" : " " + where;
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {THALWEG_ERROR_MEMORY, "out of memory" + place};
  } catch (const std::exception& error) {
    return {THALWEG_ERROR_INTERNAL, "fault of Thalweg" + place + ": " + error.what()};
  } catch (...) {
    return {THALWEG_ERROR_INTERNAL, "fault of Thalweg" + place + ": an exception that says nothing"};
  }
}

}  // namespace thalweg
