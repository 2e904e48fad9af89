! The session of Thalweg, in which the model both reads and writes.
module session
  use thalweg, only: thw_collection, thw_decomposition, thw_session
  implicit none
  public

  type(thw_session) :: io
  type(thw_collection) :: file(2)     ! history, restart
  type(thw_decomposition) :: at(4)    ! by position (fields)
end module session
