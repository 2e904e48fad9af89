!> Sessions: start, end, and who is what in one. Part of the module thalweg, which a model uses. A communicator is given as
!> the modules mpi_f08 (type(MPI_Comm)) or mpi and the file mpif.h (integer) have it.
module thalweg_sessions
  use, intrinsic :: iso_c_binding, only: c_bool, c_int
  use mpi_f08, only: MPI_Comm
  use thalweg_values
  implicit none
  private

  public :: thw_start, thw_start_text, thw_serve, thw_finish, thw_is_client, thw_model_comm

  !> Starts a session. Collective over comm. config: path of a YAML file; absent: defaults and environment.
  interface thw_start
    subroutine thw_start_f08(session, comm, config, stat, errmsg) bind(c, name="thw_start")
      import :: thw_session, MPI_Comm, c_int
      type(thw_session), intent(inout) :: session
      type(MPI_Comm), intent(in) :: comm
      character(*), intent(in), optional :: config
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_start_f08

    subroutine thw_start_mpi(session, comm, config, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(inout) :: session
      integer(c_int), intent(in) :: comm
      character(*), intent(in), optional :: config
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_start_mpi
  end interface thw_start

  !> As thw_start, with the YAML text itself. Collective. origin names the text in messages.
  interface thw_start_text
    subroutine thw_start_text_f08(session, comm, yaml, origin, stat, errmsg) bind(c, name="thw_start_text")
      import :: thw_session, MPI_Comm, c_int
      type(thw_session), intent(inout) :: session
      type(MPI_Comm), intent(in) :: comm
      character(*), intent(in) :: yaml
      character(*), intent(in), optional :: origin
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_start_text_f08

    subroutine thw_start_text_mpi(session, comm, yaml, origin, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(inout) :: session
      integer(c_int), intent(in) :: comm
      character(*), intent(in) :: yaml
      character(*), intent(in), optional :: origin
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_start_text_mpi
  end interface thw_start_text

  !> The whole part of a rank whose program is a server and nothing else; returns when the model has finished.
  !> Collective with thw_start of the other ranks.
  interface thw_serve
    subroutine thw_serve_f08(comm, config, stat, errmsg) bind(c, name="thw_serve")
      import :: MPI_Comm, c_int
      type(MPI_Comm), intent(in) :: comm
      character(*), intent(in), optional :: config
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_serve_f08

    subroutine thw_serve_mpi(comm, config, stat, errmsg) bind(c)
      import :: c_int
      integer(c_int), intent(in) :: comm
      character(*), intent(in), optional :: config
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_serve_mpi
  end interface thw_serve

  !> The communicator of the clients; it belongs to the session. Local. Error: STATE on a rank that is no client.
  interface thw_model_comm
    subroutine thw_model_comm_f08(session, comm, stat, errmsg) bind(c, name="thw_model_comm")
      import :: thw_session, MPI_Comm, c_int
      type(thw_session), intent(in) :: session
      type(MPI_Comm), intent(inout) :: comm
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_model_comm_f08

    subroutine thw_model_comm_mpi(session, comm, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(in) :: session
      integer(c_int), intent(inout) :: comm
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_model_comm_mpi
  end interface thw_model_comm

  interface
    !> Writes and publishes everything and frees the session with all its handles, also on error. Collective, before
    !> MPI_Finalize.
    subroutine thw_finish(session, stat, errmsg) bind(c)
      import :: thw_session, c_int
      type(thw_session), intent(inout) :: session
      integer(c_int), intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
    end subroutine thw_finish

    !> True on a rank that computes, false on one that only served. Local. An error ends the program.
    function thw_is_client(session) result(is_client) bind(c)
      import :: thw_session, c_bool
      type(thw_session), intent(in) :: session
      logical(c_bool) :: is_client
    end function thw_is_client
  end interface
end module thalweg_sessions
