!> The session of Thalweg that CICE's files are of. It is apart from ice_thalweg because CICE's communicator comes from
!> here.
module ice_thalweg_session
  use mpi, only: MPI_COMM_WORLD
  use thalweg
  use thalweg_nf90, only: nf90_session
  implicit none
  private
  public :: begin_session, end_session

  type(thw_session) :: io

contains

  !> comm: of all ranks, and then of those that are the model's. A server of the configuration does not come back.
  subroutine begin_session(comm)
    integer, intent(inout) :: comm
    integer :: error
    call thw_start(io, comm, "thalweg.yaml")
    if (thw_is_client(io)) then
      call thw_model_comm(io, comm)
      call nf90_session(io)
      return
    end if
    call thw_finish(io)
    call MPI_FINALIZE(error)
    stop
  end subroutine begin_session

  subroutine end_session()
    call thw_finish(io)
  end subroutine end_session
end module ice_thalweg_session
