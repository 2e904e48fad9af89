! What a configuration may have of the history's fields beside the history: means, extremes, other frequencies. The model
! puts each of them once a step, and ocean.yaml says the rest; what nobody has chosen costs nothing. Arguments: output.f90.
submodule(output) output_fields
  use session, only: at, io
  use state, only: fill
  use thalweg

  type(fields_t), pointer :: source => null()
  type(thw_field), allocatable :: axis(:), field(:)  ! of the history, by their places in the source
  logical :: has_axes = .false.

contains

  module procedure fields_define
    integer :: n
    source => f
    allocate (axis(size(f%axis)), field(size(f%field)))
    do n = 1, size(f%axis)
      if (f%axis(n)%file /= history) cycle
      call thw_define_field_dimension(io, f%axis(n)%name, size(f%axis(n)%values))
      call thw_define_field(io, axis(n), f%axis(n)%name, f%axis(n)%name, THW_REAL64, is_static=.true.)
      call give_texts(axis(n), f%axis(n)%name)
    end do
    do n = 1, size(f%field)
      associate (of => f%field(n))
        if (of%file /= history) cycle
        call thw_define_field(io, field(n), "ocean/"//of%name, without_time(of%dims), THW_REAL32, at(of%position))
        call thw_define_field_attribute(field(n), "_FillValue", real(fill, real32))
        call give_texts(field(n), of%name)
      end associate
    end do

  contains

    subroutine give_texts(to, variable)
      type(thw_field), intent(in) :: to
      character(*), intent(in) :: variable
      integer :: t
      do t = 1, size(f%text)
        if (f%text(t)%file == history .and. f%text(t)%variable == variable) &
          call thw_define_field_text(to, f%text(t)%name, f%text(t)%text)
      end do
    end subroutine give_texts

    pure function without_time(dims) result(own)
      character(*), intent(in) :: dims
      character(:), allocatable :: own
      own = dims(:index(dims, ",time") - 1)
    end function without_time
  end procedure fields_define

  module procedure fields_wanted
    integer :: n
    wanted = .false.
    do n = 1, size(field)
      if (source%field(n)%file == history) wanted = wanted .or. thw_is_wanted_now(field(n))
    end do
  end procedure fields_wanted

  module procedure fields_put
    integer :: n
    do n = 1, size(axis)
      if (source%axis(n)%file == history .and. .not. has_axes) call thw_put_field(axis(n), source%axis(n)%values)
    end do
    has_axes = .true.
    do n = 1, size(field)
      associate (of => source%field(n))
        if (of%file /= history) cycle
        if (of%flat) call thw_put_field(field(n), of%values(:, :, 1))
        if (.not. of%flat) call thw_put_field(field(n), of%values)
      end associate
    end do
  end procedure fields_put

end submodule output_fields
