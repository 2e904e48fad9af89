! Output as a model writes it by hand: each array is gathered on rank 0, which writes it as a Fortran record while all
! others wait for their turn.
module original_output
  use, intrinsic :: iso_fortran_env, only: int32, real64
  use mpi_f08
  use blocks, only: block_of, block_t
  use cloud_model
  use pauses, only: pauses_t
  implicit none
  private
  public :: close_original, open_original, original_dynamics, original_microphysics

  integer :: unit(files)
  integer(int32), allocatable :: whole(:)  ! on rank 0: the bits of the array that is gathered

contains

  subroutine open_original(m)
    type(model_t), intent(in) :: m
    integer :: file
    if (m%rank /= 0) return
    allocate (whole(2 * m%nx * m%ny * m%nz))
    whole = 0
    do file = 1, files
      open (newunit=unit(file), file="original_"//trim(file_name(file))//".dat", form="unformatted", status="replace", &
        action="write")
    end do
  end subroutine open_original

  subroutine original_microphysics(m, p, time_s)
    type(model_t), intent(in) :: m
    type(pauses_t), intent(inout) :: p
    real(real64), intent(in) :: time_s
    integer :: n
    call p%begin()
    call write_array(m, microphysics, m%cloud_type, m%nz, MPI_INTEGER)
    do n = 1, size(species)
      call write_array(m, microphysics, m%water(:, :, :, n), m%nz, MPI_REAL)
    end do
    if (m%rank == 0) write (unit(microphysics)) time_s
    call p%end_of(microphysics)
    call write_array(m, surface, m%wet_steps, 1, MPI_INTEGER)
    call write_array(m, surface, m%rainfall, 1, MPI_REAL)
    call write_array(m, surface, m%heat_flux, 1, MPI_DOUBLE_PRECISION)
    if (m%rank == 0) write (unit(surface)) time_s
    call p%end_of(surface)
  end subroutine original_microphysics

  subroutine original_dynamics(m, p, time_s)
    type(model_t), intent(in) :: m
    type(pauses_t), intent(inout) :: p
    real(real64), intent(in) :: time_s
    integer :: n
    call p%begin()
    call write_array(m, dynamics, m%level_type, m%nz, MPI_INTEGER)
    do n = 1, size(winds)
      call write_array(m, dynamics, m%flow(:, :, :, n), m%nz, MPI_DOUBLE_PRECISION)
    end do
    if (m%rank == 0) write (unit(dynamics)) time_s
    call p%end_of(dynamics)
    if (m%rank == 0) then
      write (unit(profiles)) m%cloudy_cells
      write (unit(profiles)) m%humidity
      write (unit(profiles)) m%mean_theta
      write (unit(profiles)) time_s
    end if
    call p%end_of(profiles)
    if (m%rank == 0) then
      write (unit(scalars)) m%storms
      write (unit(scalars)) m%largest_wind
      write (unit(scalars)) m%energy
      write (unit(scalars)) time_s
    end if
    call p%end_of(scalars)
  end subroutine original_dynamics

  subroutine close_original(m)
    type(model_t), intent(in) :: m
    integer :: file
    if (m%rank /= 0) return
    do file = 1, files
      close (unit(file))
    end do
    deallocate (whole)
  end subroutine close_original

  ! field: this rank's block of so many levels.
  subroutine write_array(m, file, field, levels, kind)
    type(model_t), intent(in) :: m
    integer, intent(in) :: file, levels
    type(*), intent(in) :: field(*)
    type(MPI_Datatype), intent(in) :: kind
    type(MPI_Request) :: request
    integer :: rank, bytes
    if (m%own%boxes > 0) call MPI_Isend(field, product(m%own%cells) * levels, kind, 0, file, m%comm, request)
    if (m%rank == 0) then
      do rank = 0, m%ranks - 1
        call receive_block(m, rank, file, levels, kind)
      end do
      call MPI_Type_size(kind, bytes)
      write (unit(file)) whole(:m%nx * m%ny * levels * (bytes / 4))
    end if
    if (m%own%boxes > 0) call MPI_Wait(request, MPI_STATUS_IGNORE)
  end subroutine write_array

  ! Straight to its place in the whole array.
  subroutine receive_block(m, rank, tag, levels, kind)
    type(model_t), intent(in) :: m
    integer, intent(in) :: rank, tag, levels
    type(MPI_Datatype), intent(in) :: kind
    type(MPI_Datatype) :: place
    type(block_t) :: block
    block = block_of(rank, m%ranks, [m%nx, m%ny])
    if (block%boxes == 0) return
    call MPI_Type_create_subarray(3, [m%nx, m%ny, levels], [block%cells, levels], [block%first - 1, 0], &
      MPI_ORDER_FORTRAN, kind, place)
    call MPI_Type_commit(place)
    call MPI_Recv(whole, 1, place, rank, tag, m%comm, MPI_STATUS_IGNORE)
    call MPI_Type_free(place)
  end subroutine receive_block

end module original_output
